import {
  type KeyboardEvent,
  type PointerEvent,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react'
import { setPageState } from '../../page/state.ts'
import { withErrorBoundary } from '../../ui/ErrorBoundary.tsx'
import { useRotation } from '../rotation/use-rotation.ts'
import { CLIPS } from './clips.ts'
import { PAUSE } from './play-film.ts'
import { Slide } from './Slide.tsx'

/** How many milliseconds each film stays; the specification sets it. */
const TURN_MS = 20_000

/** A swipe is longer than this, in CSS pixels, and more sideways than up or down. */
const SWIPE_PX = 40

/** The paths of the icons, in a box of 20 by 20. */
const ICONS = {
  play: 'M6 4.5v11l9-5.5z',
  pause: PAUSE.icon,
  previous: 'M12 4.5 6.5 10l5.5 5.5',
  next: 'm8 4.5 5.5 5.5L8 15.5',
  muted: 'M3.5 8v4h3l4 3.5v-11L6.5 8zM13.5 8l4 4m0-4-4 4',
  loud: 'M3.5 8v4h3l4 3.5v-11L6.5 8zM13.5 7.5a3.5 3.5 0 0 1 0 5M15.5 5.5a6.5 6.5 0 0 1 0 9',
  captions: 'M2.5 5h15v10h-15zM5.5 11.5h4M12 11.5h2.5',
} as const

/** The films as a carousel (WAI-ARIA carousel pattern). Before it hydrates, site/scripts/first-film.ts plays the first. */
export default withErrorBoundary('the films', Films)

function Films() {
  const [firstMs] = useState(() => TURN_MS - shownMs())
  const rotation = useRotation({ count: CLIPS.length, everyMs: TURN_MS, firstMs })
  const { index, isSeen, isStill, choose, frame } = rotation
  /** The visitor's choice of play or pause; null before a choice. */
  const [asked, setAsked] = useState<boolean | null>(null)
  const [hasFailed, setFailed] = useState(() => firstFilm()?.dataset['failed'] !== undefined)
  const [isMuted, setMuted] = useState(true)
  const [hasCaptions, setCaptions] = useState(false)
  const progress = useRef<HTMLProgressElement>(null)
  const dots = useRef<HTMLDivElement>(null)
  const touch = useRef({ x: 0, y: 0 })
  const isPlaying = (asked ?? !isStill) && !hasFailed
  const handleFailed = useCallback(() => setFailed(true), [])

  useEffect(() => {
    if (progress.current) progress.current.value = 0
    // An arrow key moves the focus to the dot that Tab now reaches.
    if (dots.current?.contains(document.activeElement) === true)
      dots.current.querySelector<HTMLElement>('[aria-current]')?.focus()
  }, [index])
  useEffect(() => {
    // The headline moves too, so the pause button also stops it (WCAG 2.2.2).
    setPageState({ still: asked === false ? '' : undefined })
  }, [asked])

  const handleKey = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (by === 0) return
    event.preventDefault()
    choose(index + by)
  }
  const handleTouch = ({ type, pointerType, clientX, clientY }: PointerEvent) => {
    if (pointerType === 'mouse') return
    const dx = clientX - touch.current.x
    const dy = clientY - touch.current.y
    if (type === 'pointerdown') touch.current = { x: clientX, y: clientY }
    else if (Math.abs(dx) > SWIPE_PX && Math.abs(dx) > Math.abs(dy)) choose(index - Math.sign(dx))
  }
  /** Other controls also stop the films from turning. */
  const stopAnd = (act: () => void) => () => {
    rotation.setAuto(false)
    act()
  }

  return (
    <div {...frame} onKeyDown={handleKey}>
      <section className="clips" aria-roledescription="carousel" aria-label="Films">
        <div
          className="clips-stage"
          aria-live={rotation.isTurning ? 'off' : 'polite'}
          onPointerDown={handleTouch}
          onPointerUp={handleTouch}
        >
          {CLIPS.map((clip, nth) => (
            <Slide
              key={clip.id}
              clip={clip}
              position={`${nth + 1} of ${CLIPS.length}`}
              isFirst={nth === 0}
              isCurrent={nth === index}
              isPlaying={nth === index && isPlaying && isSeen}
              isMuted={isMuted}
              hasCaptions={hasCaptions}
              onProgress={(part) => {
                if (nth === index && progress.current) progress.current.value = part
              }}
              onFailed={handleFailed}
            />
          ))}
        </div>
        <progress ref={progress} className="clips-progress" max="1" value="0" aria-hidden="true" />
        <div className="clips-controls">
          <div className="clips-buttons">
            <Control
              label={isPlaying ? PAUSE.label : 'Play the films'}
              icon={isPlaying ? 'pause' : 'play'}
              onPress={stopAnd(() => {
                setAsked(!isPlaying)
                setFailed(false)
              })}
            />
            <Control label="Previous film" icon="previous" onPress={() => choose(index - 1)} />
            <Control label="Next film" icon="next" onPress={() => choose(index + 1)} />
            <Control
              label={isMuted ? 'Unmute' : 'Mute'}
              icon={isMuted ? 'muted' : 'loud'}
              onPress={stopAnd(() => setMuted(!isMuted))}
            />
            <Control
              label="Captions"
              icon="captions"
              isPressed={hasCaptions}
              onPress={stopAnd(() => setCaptions(!hasCaptions))}
            />
          </div>
          <div ref={dots} className="clips-dots" role="group" aria-label="Choose a film">
            {CLIPS.map(({ id, title }, nth) => (
              <button
                key={id}
                type="button"
                aria-label={`Film ${nth + 1} of ${CLIPS.length}: ${title}`}
                aria-current={nth === index ? 'true' : undefined}
                tabIndex={nth === index ? undefined : -1}
                onClick={() => choose(nth)}
              />
            ))}
          </div>
        </div>
      </section>
    </div>
  )
}

/** The first film as site/scripts/first-film.ts left it; null while the page is built. */
function firstFilm(): HTMLVideoElement | null {
  return typeof document === 'undefined' ? null : document.querySelector('.clips video')
}

/** For how many milliseconds the first film has been shown. */
function shownMs(): number {
  const since = firstFilm()?.dataset['since']
  return since === undefined ? 0 : Math.min(performance.now() - Number(since), TURN_MS)
}

interface ControlProps {
  readonly label: string
  readonly icon: keyof typeof ICONS
  readonly isPressed?: boolean
  readonly onPress: () => void
}

function Control({ label, icon, isPressed, onPress }: ControlProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-pressed={isPressed}
      onClick={onPress}
      // Before it hydrates, site/scripts/first-film.ts changes the button of the film that it plays.
      suppressHydrationWarning
    >
      <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
        <path d={ICONS[icon]} suppressHydrationWarning />
      </svg>
    </button>
  )
}
