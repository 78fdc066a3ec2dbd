import { PAUSE, playFilm, shownPart } from '../../src/islands/hero/play-film.ts'
import { wantsStillness } from '../../src/lib/stillness.ts'
import { onThemeChange } from '../../src/page/shown-theme.ts'

/**
 * Plays the first film from the HTML alone, so that visitors who read only the first screen load no React. The island
 * (Films.tsx) continues once it has hydrated.
 */
const island = document.querySelector('astro-island:has(.clips)')
const video = island?.querySelector('video')
// The island knows the files of the other theme.
const forget = onThemeChange(() => {
  forget()
  island?.dispatchEvent(new Event('pointerover'))
})
if (island && video && !wantsStillness(window)) {
  new IntersectionObserver(
    ([entry], observer) => {
      if (!island.hasAttribute('ssr')) observer.disconnect()
      else if (entry?.isIntersecting) play(video)
      else video.pause()
    },
    { threshold: 0.25 },
  ).observe(video)
  const button = island.querySelector('.clips-buttons button')
  video.addEventListener('playing', () => {
    if (!island.hasAttribute('ssr')) return
    button?.setAttribute('aria-label', PAUSE.label)
    button?.setAttribute('title', PAUSE.label)
    button?.querySelector('path')?.setAttribute('d', PAUSE.icon)
  })
  const progress = island.querySelector('progress')
  video.addEventListener('timeupdate', () => {
    if (progress) progress.value = shownPart(video)
  })
}

function play(film: HTMLVideoElement) {
  film.dataset['since'] ??= String(performance.now())
  film.muted = true
  playFilm(film)
}
