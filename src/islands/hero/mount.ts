import { createElement } from 'react'
import { announceHydrated } from '../../lib/early-input.ts'
import { hydrate } from './hydrate.ts'
import type { Clip } from './clip.ts'
import { ClipCarousel } from './ClipCarousel.tsx'

/** Hydrates the prebuilt carousel in `container`; `clips` are those in its HTML. */
export function mountFilms(container: Element, clips: readonly Clip[]) {
  hydrate(container, createElement(ClipCarousel, { clips }))
  announceHydrated(container)
}
