/**
 * What the landing page does beyond its HTML, none of it before the page has loaded and is idle: first the small parts,
 * then the films with React (docs/decisions/0022-the-landing-page-loads-its-own-island.md). React is read in one turn
 * and put to work in another, so that no turn is long enough to be felt.
 */
import { whenIdle } from './when-idle.ts'

whenIdle(() => {
  void import('./landing-parts.ts')
  void import('react-dom/client').then(() => {
    whenIdle(() => void import('./films.ts'))
  })
})
