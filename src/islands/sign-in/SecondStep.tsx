import { useState } from 'react'
import type { SecondStep as Step } from '../../contract/endpoint.ts'
import { deps } from '../../stores/browser.ts'
import { createSecondStep } from '../../stores/second-step.ts'
import { Button } from '../../ui/Button.tsx'
import { ProveFactor } from '../factors/ProveFactor.tsx'

interface Props {
  step: Step
  onSignedIn: () => void
  onStartAgain: () => void
}

/** The second step of a sign-in, in place of the form of the first. */
export default function SecondStep({ step, onSignedIn, onStartAgain }: Props) {
  const [proof] = useState(() => createSecondStep({ ...deps, step, onSignedIn }))
  return (
    <div className="stack">
      <p role="status">One more step: please confirm it’s you.</p>
      <ProveFactor proof={proof} />
      <Button look="muted" size="small" onClick={onStartAgain}>
        Start again
      </Button>
    </div>
  )
}
