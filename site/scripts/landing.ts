/**
 * What the landing page does beyond its HTML, none of it before the page has loaded and is idle: first the small parts,
 * then the films with React (docs/decisions/0022-the-landing-page-loads-its-own-island.md).
 */
import { whenIdle } from './when-idle.ts'

whenIdle(() => {
  void import('./landing-parts.ts')
  void import('./films.ts')
})
