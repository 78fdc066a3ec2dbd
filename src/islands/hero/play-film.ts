/** How fast films play; the specification sets it. */
const PLAYBACK_RATE = 1.25

/**
 * Plays a film over its poster: it stays hidden until it plays (`data-ready`). A browser that cannot play it, or may not
 * without being asked, leaves the poster, `data-failed` and a line in the console.
 */
export function playFilm(video: HTMLVideoElement, onFailed?: () => void): void {
  delete video.dataset['failed']
  video.defaultPlaybackRate = PLAYBACK_RATE
  video.playbackRate = PLAYBACK_RATE
  const fail = (reason: unknown) => {
    console.info('film', video.dataset['film'], reason)
    video.dataset['failed'] = ''
    delete video.dataset['ready']
    onFailed?.()
  }
  // When no source loads, play() neither resolves nor rejects.
  const last = video.querySelector<HTMLSourceElement>('source:last-of-type')
  if (last) {
    last.onerror = () => {
      fail('no source could be loaded')
    }
  }
  if (video.networkState === HTMLMediaElement.NETWORK_NO_SOURCE) video.load()
  video.play().then(
    () => {
      video.dataset['ready'] = 'true'
    },
    (reason: unknown) => {
      // Pausing a film before it has loaded aborts it.
      if (!(reason instanceof DOMException && reason.name === 'AbortError')) fail(reason)
    },
  )
}
