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
}

/** A film over its poster. It stays hidden until it plays. */
export function Film({ clip, isPlaying, isCurrent, isMuted, hasCaptions, progress }: Props) {
  const film = useRef<HTMLVideoElement>(null)
  const [isReady, setIsReady] = useState(false)

  useEffect(() => {
    const video = film.current
    if (video === null) return
    if (isPlaying) {
      video.defaultPlaybackRate = PLAYBACK_RATE
      video.playbackRate = PLAYBACK_RATE
      video.play().catch((reason: unknown) => {
        console.info('film', clip.id, reason)
      })
    } else {
      video.pause()
    }
  }, [isPlaying, clip.id])

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
          console.info('film', clip.id, 'no source could be loaded')
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
