import { storageOf } from '../../src/lib/browser-storage.ts'
import './footer.ts'
import { showAnnouncement } from './announcement.ts'

/** The shell, for users, for islands and for the toasts of the page before. Guests who read load no more than this script. */
const isNeeded =
  document.documentElement.dataset.signedIn !== undefined ||
  document.querySelector('astro-island') !== null ||
  storageOf(() => sessionStorage).getItem('toasts') !== null

if (isNeeded) {
  // The head of the page reports this like any script that failed to load (site/layouts/account/early.ts).
  import('../../src/page/shell.ts').then(
    ({ startShell }) => startShell(),
    () => document.querySelector('script[type=module]')?.dispatchEvent(new Event('error')),
  )
}
void showAnnouncement()
