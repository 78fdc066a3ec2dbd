import type { PurchaseState } from './purchase-state.ts'
import { onDemand } from '../../ui/on-demand.tsx'

const PlaceDialog = onDemand('the billing details', () => import('./PlaceDialog.tsx'))

interface Props {
  state: PurchaseState
  onClose: () => void
}

/** The dialog that asks where the buyer is, while a purchase waits for it. */
export function PlaceStep({ state, onClose }: Props) {
  if (state.step !== 'place') return null
  return <PlaceDialog guess={state.guess} onClose={onClose} onSaved={state.again} />
}
