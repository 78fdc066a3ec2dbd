import { useState } from 'react'
import type { SecondStep as Step } from '../../contract/endpoint.ts'
import { environment } from '../../lib/environment.ts'
import { createFactorProof } from '../factors/factor-proof.ts'
import { Button } from '../../ui/Button.tsx'
import { ProveFactor } from '../factors/ProveFactor.tsx'
import RecoveryCodes from '../factors/RecoveryCodes.tsx'
import { session } from '../session/session.ts'

interface Props {
  step: Step
  /** The account, as it was typed; not known after Google. */
  email?: string
  onSignedIn: () => void
  /** Called in place of it after a recovery code. */
  onRecovered?: () => void
  onStartAgain: () => void
}

/** The second step of a sign-in, in place of the form of the first. */
export default function SecondStep(props: Props) {
  const { step, email, onSignedIn, onRecovered = onSignedIn, onStartAgain } = props
  const [codes, setCodes] = useState<readonly string[]>([])
  const [proof] = useState(() =>
    createFactorProof({
      methods: step.methods,
      send: (proof) =>
        environment.call('POST /api/auth/login/second-step', {
          body: { ticket: step.ticket, proof },
        }),
      onAccepted: (data, kind) => {
        if (!session.begin(data)) return
        const { recoveryCodes = [] } = data
        if (recoveryCodes.length > 0) setCodes(recoveryCodes)
        else if (kind === 'recovery') onRecovered()
        else onSignedIn()
      },
    }),
  )
  return (
    <div className="stack">
      <p role="status">
        One more step{email && ' for '}
        {email && (
          <strong className="breakable" translate="no">
            {email}
          </strong>
        )}
        : please confirm it’s you.
      </p>
      <ProveFactor proof={proof} />
      <Button look="muted" size="small" onClick={onStartAgain}>
        Start again
      </Button>
      <RecoveryCodes codes={codes} onSaved={onSignedIn} />
    </div>
  )
}
