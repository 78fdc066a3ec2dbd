import { withErrorBoundary } from '../../ui/ErrorBoundary.tsx'
import { useRotation } from '../rotation/use-rotation.ts'

/** How many milliseconds each scene stays; the specification sets it. */
const TURN_MS = 3_000

interface Scene {
  readonly title: string
  readonly text: string
  readonly heard: string
  readonly answer: readonly string[]
}

/** The feature panel: six scenes, a dot for each and a button that pauses. */
export default withErrorBoundary('the examples', FeaturePanel)

function FeaturePanel({ scenes }: { scenes: readonly Scene[] }) {
  const { index, isAuto, choose, setAuto, frame } = useRotation({
    count: scenes.length,
    everyMs: TURN_MS,
  })
  return (
    <div {...frame} className="feature-panel" data-auto={isAuto || undefined}>
      <ol className="scenes">
        {scenes.map((scene, nth) => (
          <li key={scene.title} data-current={nth === index || undefined}>
            <div>
              <h3>{scene.title}</h3>
              <p className="lead">{scene.text}</p>
            </div>
            <div className="said">
              <p className="heard">{scene.heard}</p>
              <div className="overlay">
                <span className="overlay-tag">only you see this</span>
                {scene.answer.map((line) => (
                  <p key={line}>{line}</p>
                ))}
              </div>
            </div>
          </li>
        ))}
      </ol>
      <div className="scenes-dots">
        <button
          type="button"
          className="scenes-pause"
          aria-label={`${isAuto ? 'Pause' : 'Play'} the examples`}
          onClick={() => {
            setAuto(!isAuto)
          }}
        />
        {scenes.map(({ title }, nth) => (
          <button
            key={title}
            type="button"
            aria-label={title}
            aria-current={nth === index ? 'true' : undefined}
            onClick={() => {
              choose(nth)
            }}
          />
        ))}
      </div>
    </div>
  )
}
