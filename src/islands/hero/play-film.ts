import { shownTheme } from '../../page/shown-theme.ts'

/** How fast films play; the specification sets it. */
const PLAYBACK_RATE = 1.25

/** Films begin here, with the answer that their poster shows, and loop back to it. */
const OPENING_S = 10

/** The button of a film that plays. */
export const PAUSE = { label: 'Pause the films', icon: 'M6.5 4.5v11M13.5 4.5v11' }

/** AV1 in a size and at a rate like ours. */
const AV1 = 'video/webm; codecs="av01.0.05M.08,opus"'

/**
 * Plays a film over its poster, in the theme that the page shows: it stays hidden until it plays (`data-ready`). A browser
 * that cannot play it, or may not without being asked, leaves the poster, `data-failed` and a line in the console.
 */
export function playFilm(video: HTMLVideoElement, onFailed?: () => void): void {
  delete video.dataset['failed']
  chooseFile(video)
  video.defaultPlaybackRate = PLAYBACK_RATE
  video.playbackRate = PLAYBACK_RATE
  if (video.currentTime === 0) video.currentTime = OPENING_S
  video.play().then(
    () => {
      video.dataset['ready'] = 'true'
    },
    (reason: unknown) => {
      // Pausing a film before it has loaded aborts it.
      if (reason instanceof DOMException && reason.name === 'AbortError') return
      console.info('film', video.dataset['film'], reason)
      video.dataset['failed'] = ''
      delete video.dataset['ready']
      onFailed?.()
    },
  )
}

/** Gives a film its file, and retries after a failed load. A change of the theme keeps its position. */
function chooseFile(video: HTMLVideoElement): void {
  const name = `${video.dataset['film'] ?? ''}${shownTheme() === 'dark' ? '-dark' : ''}`
  const file = `/clips/${name}.${video.canPlayType(AV1) === '' ? 'mp4' : 'webm'}`
  const hasFailed = video.networkState === HTMLMediaElement.NETWORK_NO_SOURCE
  if (video.getAttribute('src') === file && !hasFailed) return
  const position = video.currentTime
  video.src = file
  video.currentTime = position
}

/** How much of a film has been shown since its opening, from 0 to 1. */
export function shownPart({ currentTime, duration }: HTMLVideoElement): number {
  return duration > 0 ? ((currentTime - OPENING_S + duration) % duration) / duration : 0
}
