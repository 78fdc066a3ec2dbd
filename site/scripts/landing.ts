/**
 * What the landing page does beyond its HTML, asked for once the page has loaded and been painted: the small parts at
 * once, then the films with React (docs/decisions/0022-the-landing-page-loads-its-own-island.md). React is read in one
 * turn and put to work in another, so that no turn is long enough to be felt.
 */
import '../../src/islands/showcase/feature-panel.ts'
import './compare.ts'
import './own-system.ts'
import { whenIdle } from './when-painted.ts'

if (hasToasts()) void import('./carried-toasts.ts')

whenIdle(() => {
  void import('../../src/islands/hero/hydrate.ts').then(() => {
    whenIdle(() => void import('./films.ts'))
  })
})

/** Whether the page before had something to say, for example that one is signed out. */
function hasToasts(): boolean {
  try {
    return sessionStorage.getItem('toasts') !== null
  } catch {
    // Storage is refused in this browser: then nothing was put there.
    return false
  }
}
