import type { KeyboardEvent, PointerEvent } from 'react'
import { useEffect, useRef, useState } from 'react'
import type { Clip } from './clip.ts'
import { CLIP_TURN_MS, SWIPE_PX } from './clip.ts'
import { ClipControls } from './ClipControls.tsx'
import { ClipSlide } from './ClipSlide.tsx'
import { useIsSeen, useStillness } from './use-presence.ts'
import { useRotation } from './use-rotation.ts'

interface Props {
  clips: readonly Clip[]
}

/**
 * The films as a carousel (WAI-ARIA carousel pattern). It advances every 20 s until the visitor uses a control, pauses
 * while hovered, focused or out of view, and stays still for visitors who prefer reduced motion or save data.
 */
export function ClipCarousel({ clips }: Props) {
  const region = useRef<HTMLElement>(null)
  const progress = useRef<HTMLProgressElement>(null)
  const isSeen = useIsSeen(region)
  const isStill = useStillness()
  const [isPointedAt, setIsPointedAt] = useState(false)
  const [isFocused, setIsFocused] = useState(false)
  /** The visitor's choice of play or pause; null before a choice. */
  const [asked, setAsked] = useState<boolean | null>(null)
  const [isMuted, setIsMuted] = useState(true)
  const [hasCaptions, setHasCaptions] = useState(false)
  /** The browser could not play a film, or may not without being asked. */
  const [hasFailed, setHasFailed] = useState(false)
  const isPlaying = (asked ?? !isStill) && !hasFailed

  const isHeld = isPointedAt || isFocused || !isSeen || isStill
  const { rotation, show, stopRotation } = useRotation(clips.length, CLIP_TURN_MS, isHeld)
  const swipe = useSwipe((step) => {
    show(rotation.index + step)
  })

  useEffect(() => {
    if (progress.current !== null) progress.current.value = 0
  }, [rotation.index])

  // The headline moves too, so the pause button also stops it (WCAG 2.2.2).
  useEffect(() => {
    document.documentElement.toggleAttribute('data-still', asked === false)
  }, [asked])

  const byHand =
    <Value,>(set: (value: Value) => void) =>
    (value: Value) => {
      stopRotation()
      set(value)
    }

  const handleKey = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    show(rotation.index + step)
  }

  return (
    <section
      ref={region}
      className="clips"
      aria-roledescription="carousel"
      aria-label="Films"
      onKeyDown={handleKey}
      onPointerEnter={(event) => {
        setIsPointedAt(event.pointerType === 'mouse')
      }}
      onPointerLeave={() => {
        setIsPointedAt(false)
      }}
      onFocus={() => {
        setIsFocused(true)
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        setIsFocused(currentTarget.contains(relatedTarget))
      }}
    >
      <div
        className="clips-stage"
        aria-live={rotation.isAuto && !isHeld ? 'off' : 'polite'}
        {...swipe}
      >
        {clips.map((clip, index) => (
          <ClipSlide
            key={clip.id}
            clip={clip}
            number={index + 1}
            count={clips.length}
            isCurrent={index === rotation.index}
            mayPlay={isPlaying && isSeen}
            isMuted={isMuted}
            hasCaptions={hasCaptions}
            progress={progress}
            onFailed={() => {
              setHasFailed(true)
            }}
          />
        ))}
      </div>
      <progress
        ref={progress}
        className="clips-progress"
        max={1}
        value={0}
        aria-label="Position in the film"
      />
      <ClipControls
        clips={clips}
        index={rotation.index}
        isPlaying={isPlaying}
        isMuted={isMuted}
        hasCaptions={hasCaptions}
        onShow={show}
        onPlaying={byHand((isAsked: boolean) => {
          setHasFailed(false)
          setAsked(isAsked)
        })}
        onMuted={byHand(setIsMuted)}
        onCaptions={byHand(setHasCaptions)}
      />
    </section>
  )
}

/** Handlers for horizontal swipes: 1 is a step to the next film, -1 to the previous one. */
function useSwipe(onStep: (step: 1 | -1) => void) {
  const start = useRef<{ x: number; y: number } | null>(null)
  return {
    onPointerDown: (event: PointerEvent) => {
      start.current = event.pointerType === 'mouse' ? null : { x: event.clientX, y: event.clientY }
    },
    onPointerUp: (event: PointerEvent) => {
      if (start.current === null) return
      const dx = event.clientX - start.current.x
      const dy = event.clientY - start.current.y
      start.current = null
      if (Math.abs(dx) < SWIPE_PX || Math.abs(dx) < Math.abs(dy)) return
      onStep(dx < 0 ? 1 : -1)
    },
    onPointerCancel: () => {
      start.current = null
    },
  }
}
