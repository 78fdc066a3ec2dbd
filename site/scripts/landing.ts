/**
 * The script of the landing page. It loads after the page has loaded and painted: the small parts first, then the films
 * with React (docs/decisions/0022-the-landing-page-loads-its-own-island.md). The browser parses React in one task and
 * runs it in another, so that no task blocks input for long.
 */
import '../../src/islands/showcase/feature-panel.ts'
import './sweeps.ts'
import './compare.ts'
import './own-system.ts'
import { showAnnouncement } from './announcement.ts'
import { whenIdle } from './when-idle.ts'

showAnnouncement()
if (hasToasts()) void import('./carried-toasts.ts')

whenIdle(() => {
  void import('../../src/islands/hero/hydrate.ts').then(() => {
    whenIdle(() => void import('./films.ts'))
  })
})

/** Whether the previous page left a toast, for example after signing out. */
function hasToasts(): boolean {
  try {
    return sessionStorage.getItem('toasts') !== null
  } catch {
    // The browser refuses storage, so it has no toasts.
    return false
  }
}
