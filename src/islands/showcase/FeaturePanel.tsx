import { useState } from 'react'
import { withErrorBoundary } from '../../ui/ErrorBoundary.tsx'
import { useWaiting } from '../../ui/use-hydrated.ts'
import { useRotation } from '../rotation/use-rotation.ts'
import { type Scene, SCENES } from './scenes.ts'
import { spellingMs, Written } from './Written.tsx'

/** How many milliseconds each scene stays; the specification sets it. */
const TURN_MS = 3_000

/** How many milliseconds the overlay "thinks" before its answer. */
const THINKS_MS = 700

/**
 * The feature panel: six scenes that turn, until the visitor chooses the question of one. It is typed out and answered as
 * in the app, without a server.
 */
export default withErrorBoundary('the examples', FeaturePanel)

function FeaturePanel() {
  const { index, isAuto, isTurning, choose, setAuto, frame } = useRotation({
    count: SCENES.length,
    everyMs: TURN_MS,
  })
  /** How many questions the visitor has chosen; each is typed anew. */
  const [asked, setAsked] = useState(0)
  const isAsked = asked > 0 && !isAuto
  const waiting = useWaiting()
  return (
    <div {...frame} className="feature-panel" data-auto={isAuto || undefined}>
      <div className="scenes-dots">
        {SCENES.map(({ title, heard }, nth) => (
          <button
            key={title}
            {...waiting}
            type="button"
            aria-current={nth === index ? 'true' : undefined}
            onClick={() => {
              choose(nth)
              setAsked(asked + 1)
            }}
          >
            <b>{title}</b> <span>{heard}</span>
          </button>
        ))}
        <button
          {...waiting}
          type="button"
          className="scenes-pause"
          onClick={() => setAuto(!isAuto)}
        >
          {isAuto ? 'Pause the examples' : 'Play the examples'}
        </button>
      </div>
      <ol className="scenes" aria-live={isTurning ? 'off' : 'polite'}>
        {SCENES.map((scene, nth) => (
          <SceneView
            key={scene.title}
            scene={scene}
            isCurrent={nth === index}
            asked={isAsked && nth === index ? asked : null}
          />
        ))}
      </ol>
    </div>
  )
}

interface SceneViewProps {
  readonly scene: Scene
  readonly isCurrent: boolean
  /** Which of the visitor's choices this question is; null when it was not chosen. */
  readonly asked: number | null
}

function SceneView({ scene: { title, text, heard, answer }, isCurrent, asked }: SceneViewProps) {
  const thinksAtMs = spellingMs(heard)
  return (
    <li data-current={isCurrent || undefined}>
      <h3>{title}</h3>
      <p className="muted">{text}</p>
      <p className="heard">
        {asked === null ? heard : <Written key={asked} text={heard} by="letter" atMs={0} />}
      </p>
      <div className="overlay">
        <span className="overlay-tag">only you see this</span>
        {asked !== null && (
          <i
            key={asked}
            className="thinking"
            style={{ animationDelay: `${thinksAtMs}ms` }}
            aria-hidden="true"
          >
            …
          </i>
        )}
        {answer.map((line, nth) => {
          const before = answer.slice(0, nth).join(' ')
          const atMs = thinksAtMs + THINKS_MS + spellingMs(before)
          return (
            <p key={line}>
              {asked === null ? line : <Written key={asked} text={line} by="word" atMs={atMs} />}
            </p>
          )
        })}
      </div>
    </li>
  )
}
