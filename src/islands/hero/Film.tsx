import { type RefObject, useEffect, useRef, useState } from 'react'
import { type Clip, PLAYBACK_RATE } from './clip.ts'

interface Props {
  clip: Clip
  /** The slide is shown and not paused. */
  isPlaying: boolean
  /** The slide is shown. Other films rewind. */
  isCurrent: boolean
  isMuted: boolean
  hasCaptions: boolean
  progress: RefObject<HTMLProgressElement | null>
  onFailed: () => void
}

/** A film over its poster. It stays hidden until it plays, and hides again when it fails. */
export function Film(props: Props) {
  const { clip, isPlaying, isCurrent, isMuted, hasCaptions, progress, onFailed } = props
  const film = useRef<HTMLVideoElement>(null)
  const [isReady, setIsReady] = useState(false)

  function fail(reason: unknown) {
    console.info('film', clip.id, reason)
    setIsReady(false)
    onFailed()
  }

  useEffect(() => {
    const video = film.current
    if (video === null) return
    if (isPlaying) {
      video.defaultPlaybackRate = PLAYBACK_RATE
      video.playbackRate = PLAYBACK_RATE
      if (video.networkState === HTMLMediaElement.NETWORK_NO_SOURCE) video.load()
      video.play().catch((reason: unknown) => {
        // Pausing a film before it has loaded aborts it.
        if (!(reason instanceof DOMException && reason.name === 'AbortError')) fail(reason)
      })
    } else {
      video.pause()
    }
  }, [isPlaying])

  useEffect(() => {
    const video = film.current
    if (video === null || isCurrent) return
    video.pause()
    video.currentTime = 0
  }, [isCurrent])

  useEffect(() => {
    const video = film.current
    if (video === null) return
    video.muted = isMuted
    const [track] = video.textTracks
    if (track) track.mode = hasCaptions ? 'showing' : 'disabled'
  }, [isMuted, hasCaptions])

  return (
    <video
      ref={film}
      className="clip-film"
      data-ready={isReady}
      width={1280}
      height={800}
      preload="none"
      muted
      loop
      playsInline
      tabIndex={-1}
      aria-label={`Film: ${clip.title}`}
      onPlaying={() => {
        setIsReady(true)
      }}
      onTimeUpdate={({ currentTarget }) => {
        if (isCurrent && progress.current !== null) {
          progress.current.value = currentTarget.currentTime / (currentTarget.duration || 1)
        }
      }}
    >
      <source src={`/clips/${clip.id}.webm`} type="video/webm" />
      {/* When no source loads, play() neither resolves nor rejects. */}
      <source
        src={`/clips/${clip.id}.mp4`}
        type="video/mp4"
        onError={() => {
          fail('no source could be loaded')
        }}
      />
      <track
        kind="captions"
        srcLang="en"
        label="What happens"
        src={hasCaptions ? `/clips/${clip.id}.vtt` : undefined}
      />
    </video>
  )
}
