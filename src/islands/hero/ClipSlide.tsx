import { type RefObject, useState } from 'react'
import type { Clip } from './clip.ts'
import { Film } from './Film.tsx'

interface Props {
  clip: Clip
  number: number
  count: number
  isCurrent: boolean
  /** The carousel is in view and not paused. */
  mayPlay: boolean
  isMuted: boolean
  hasCaptions: boolean
  progress: RefObject<HTMLProgressElement | null>
  onFailed: () => void
}

/** One slide. The poster loads when the slide first shows, the film when it first plays; the text is always there. */
export function ClipSlide({ clip, number, count, isCurrent, mayPlay, ...rest }: Props) {
  const [wasCurrent, setWasCurrent] = useState(isCurrent)
  const [hasFilm, setHasFilm] = useState(false)
  if (isCurrent && !wasCurrent) setWasCurrent(true)
  if (isCurrent && mayPlay && !hasFilm) setHasFilm(true)

  return (
    <div
      className="clip"
      role="group"
      aria-roledescription="slide"
      aria-label={`${number} of ${count}`}
      data-current={isCurrent || undefined}
    >
      {wasCurrent && (
        <div className="clip-media">
          <img
            src={`/clips/${clip.id}.avif`}
            srcSet={`/clips/${clip.id}-640.avif 640w, /clips/${clip.id}.avif 1280w`}
            sizes={CLIP_SIZES}
            width={1280}
            height={800}
            alt={clip.alt}
            fetchPriority={number === 1 ? 'high' : 'auto'}
          />
          {hasFilm && (
            <Film clip={clip} isCurrent={isCurrent} isPlaying={isCurrent && mayPlay} {...rest} />
          )}
        </div>
      )}
      <div className="clip-text">
        <h2>{clip.title}</h2>
        <p>{clip.description}</p>
      </div>
    </div>
  )
}

/** The `sizes` of a poster; the page's preload uses them too. */
export const CLIP_SIZES = '(width >= 64rem) 46rem, calc(100vw - 3rem)'
