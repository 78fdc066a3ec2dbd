/**
 * The script of the landing page. It loads after the page has loaded and painted, and without React
 * (docs/decisions/0022-pages-that-are-read-load-their-scripts-late.md).
 */
import './first-film.ts'
import './sweeps.ts'
import './compare.ts'
import './footer.ts'
import { showAnnouncement } from './announcement.ts'

void showAnnouncement()
if (hasToasts()) void import('./carried-toasts.ts')

/** Whether the previous page left a toast, for example after signing out. */
function hasToasts(): boolean {
  try {
    return sessionStorage.getItem('toasts') !== null
  } catch {
    // The browser refuses storage, so it has no toasts.
    return false
  }
}
