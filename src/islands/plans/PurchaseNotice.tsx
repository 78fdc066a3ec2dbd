import type { PurchaseState } from '../../stores/purchase-state.ts'
import { DECLINED } from '../../stores/purchase-state.ts'
import { Notice } from '../../ui/Notice.tsx'

/** How the purchase stands, in one sentence with the next step in it. */
export function PurchaseNotice({ state }: { state: PurchaseState }) {
  if (state.step === 'paying' && state.declined !== null) {
    return <Notice tone="error">{DECLINED(state.declined)}</Notice>
  }
  if (state.step !== 'stopped') return null
  return (
    <Notice tone={state.isError ? 'error' : 'quiet'}>
      <p>{state.message}</p>
      {state.nextStep !== undefined && <p>{state.nextStep}</p>}
    </Notice>
  )
}
