import type { PurchaseStep } from './purchase-step.ts'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'

interface Props {
  state: PurchaseStep
  /** The payment window may have taken the focus with it. */
  takesFocus?: boolean
}

/** Shows why a purchase stopped or a payment was declined, and what to do next. */
export function PurchaseNotice({ state, takesFocus = true }: Props) {
  if (state.step === 'paying' && state.declined !== null) {
    return (
      <Notice tone="error">
        {`The payment was declined: ${state.declined} You can try again in the payment window.`}
      </Notice>
    )
  }
  if (state.step !== 'stopped') return null
  return (
    <Notice
      tone={state.isError ? 'error' : 'muted'}
      takesFocus={takesFocus}
      actions={
        state.again && (
          <Button size="small" onClick={state.again}>
            Try Again
          </Button>
        )
      }
    >
      <p>{state.message}</p>
      {state.nextStep !== undefined && <p>{state.nextStep}</p>}
    </Notice>
  )
}
