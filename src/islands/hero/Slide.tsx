import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { onThemeChange, shownTheme } from '../../page/shown-theme.ts'
import type { Clip } from './clips.ts'
import { playFilm, shownPart } from './play-film.ts'
import { posterOf } from './poster.ts'

interface Props {
  readonly clip: Clip
  /** "1 of 6". */
  readonly position: string
  readonly isFirst: boolean
  readonly isCurrent: boolean
  readonly isPlaying: boolean
  readonly isMuted: boolean
  readonly hasCaptions: boolean
  /** Its position, from 0 to 1. */
  readonly onProgress: (part: number) => void
  /** The browser could not play the film, or may not without being asked. */
  readonly onFailed: () => void
}

/** One slide. Its poster loads when the slide first shows, the film when it first plays; the text is always there. */
export function Slide(props: Props) {
  const { clip, position, isFirst, isCurrent, isPlaying, isMuted, hasCaptions } = props
  const { onProgress, onFailed } = props
  const [hasShown, setHasShown] = useState(isCurrent)
  if (isCurrent && !hasShown) setHasShown(true)
  /** The prebuilt HTML does not know the theme. */
  const theme = useSyncExternalStore(onThemeChange, shownTheme, () => null)
  const { sources, image } = posterOf(clip.id, theme)
  const film = useRef<HTMLVideoElement>(null)
  const captions = useRef<HTMLTrackElement>(null)

  useEffect(() => {
    // React writes no `muted` into the HTML, and browsers play only a muted film without being asked.
    if (film.current) film.current.muted = isMuted
  }, [isMuted, hasShown])
  useEffect(() => {
    if (isPlaying && film.current) playFilm(film.current, onFailed)
    else film.current?.pause()
  }, [isPlaying, theme, onFailed])
  useEffect(() => {
    if (!isCurrent && film.current) film.current.currentTime = 0
  }, [isCurrent])
  useEffect(() => {
    if (captions.current) captions.current.track.mode = hasCaptions ? 'showing' : 'disabled'
  }, [hasCaptions, hasShown])

  return (
    <div
      className="clip"
      role="group"
      aria-roledescription="slide"
      aria-label={position}
      data-current={isCurrent || undefined}
    >
      {hasShown && (
        <div className="clip-media">
          <picture>
            {sources.map((source) => (
              <source key={source.media} {...source} />
            ))}
            <img {...image} alt={clip.alt} fetchPriority={isFirst ? 'high' : undefined} />
          </picture>
          <video
            ref={film}
            className="clip-film"
            data-film={clip.id}
            // The first film plays before React is there: site/scripts/first-film.ts has set attributes.
            suppressHydrationWarning
            width={1280}
            height={800}
            preload="none"
            loop
            playsInline
            tabIndex={-1}
            aria-label={`Film: ${clip.title}`}
            onTimeUpdate={({ currentTarget }) => onProgress(shownPart(currentTarget))}
          >
            <track
              ref={captions}
              kind="captions"
              srcLang="en"
              label="What happens"
              src={`/clips/${clip.id}.vtt`}
            />
          </video>
        </div>
      )}
      <div className="clip-text">
        <h2>{clip.title}</h2>
        <p>{clip.description}</p>
      </div>
    </div>
  )
}
