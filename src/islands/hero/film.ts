/** How fast films play; the specification sets it. */
const PLAYBACK_RATE = 1.25

export interface FilmState {
  /** The slide is shown and not paused. */
  readonly isPlaying: boolean
  /** The slide is shown. Other films rewind. */
  readonly isCurrent: boolean
  readonly isMuted: boolean
  readonly hasCaptions: boolean
}

export interface Film {
  readonly video: HTMLVideoElement
  /** Call it once the video is in the document, and whenever something changes. */
  readonly set: (state: FilmState) => void
}

interface Options {
  /** The files of the film are /clips/{id}.{webm,mp4,vtt}. */
  readonly id: string
  readonly title: string
  /** Its position, from 0 to 1, while the slide is shown. */
  readonly onProgress: (part: number) => void
  /** The browser could not play it, or may not without being asked. */
  readonly onFailed: () => void
}

/** A film over its poster. It stays hidden until it plays, and hides again when it fails. */
export function createFilm({ id, title, onProgress, onFailed }: Options): Film {
  const video = createVideo(title)
  const track = createTrack()
  let now: FilmState = { isPlaying: false, isCurrent: true, isMuted: true, hasCaptions: false }

  function setReady(isReady: boolean) {
    video.dataset['ready'] = String(isReady)
  }

  function fail(reason: unknown) {
    console.info('film', id, reason)
    setReady(false)
    onFailed()
  }

  function play() {
    video.defaultPlaybackRate = PLAYBACK_RATE
    video.playbackRate = PLAYBACK_RATE
    if (video.networkState === HTMLMediaElement.NETWORK_NO_SOURCE) video.load()
    video.play().catch((reason: unknown) => {
      // Pausing a film before it has loaded aborts it.
      if (!(reason instanceof DOMException && reason.name === 'AbortError')) fail(reason)
    })
  }

  setReady(false)
  video.addEventListener('playing', () => {
    setReady(true)
  })
  video.addEventListener('timeupdate', () => {
    if (now.isCurrent) onProgress(video.currentTime / (video.duration || 1))
  })
  const webm = createSource(`/clips/${id}.webm`, 'video/webm')
  const mp4 = createSource(`/clips/${id}.mp4`, 'video/mp4')
  // When no source loads, play() neither resolves nor rejects.
  mp4.addEventListener('error', () => {
    fail('no source could be loaded')
  })
  video.append(webm, mp4, track)

  return {
    video,
    set: (state) => {
      const before = now
      now = state
      video.muted = state.isMuted
      if (state.hasCaptions) track.src = `/clips/${id}.vtt`
      track.track.mode = state.hasCaptions ? 'showing' : 'disabled'
      if (state.isPlaying && !before.isPlaying) play()
      if (!state.isPlaying && before.isPlaying) video.pause()
      if (!state.isCurrent && before.isCurrent) video.currentTime = 0
    },
  }
}

function createVideo(title: string): HTMLVideoElement {
  const video = document.createElement('video')
  video.className = 'clip-film'
  video.width = 1280
  video.height = 800
  video.preload = 'none'
  video.muted = true
  video.loop = true
  video.playsInline = true
  video.tabIndex = -1
  video.ariaLabel = `Film: ${title}`
  return video
}

function createSource(src: string, type: string): HTMLSourceElement {
  const source = document.createElement('source')
  source.src = src
  source.type = type
  return source
}

function createTrack(): HTMLTrackElement {
  const track = document.createElement('track')
  track.kind = 'captions'
  track.srclang = 'en'
  track.label = 'What happens'
  return track
}
