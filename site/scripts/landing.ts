/** The script of the landing page, without React (docs/decisions/0022-scripts-come-after-the-first-screen.md). */
import { storageOf } from '../../src/lib/browser-storage.ts'
import './sweeps.ts'
import './compare.ts'
import './footer.ts'
import { showAnnouncement } from './announcement.ts'

void showAnnouncement()
// The previous page left a toast, for example after signing out.
if (storageOf(() => sessionStorage).getItem('toasts') !== null) void import('./carried-toasts.ts')
