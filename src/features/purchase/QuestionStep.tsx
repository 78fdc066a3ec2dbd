import type { PurchaseStep } from './purchase-step.ts'
import { onDemand } from '../../ui/on-demand.tsx'

const PlaceDialog = onDemand('the billing details', () => import('./PlaceDialog.tsx'))
const TwiceDialog = onDemand('the question', () => import('./TwiceDialog.tsx'))

interface Props {
  state: PurchaseStep
  onClose: () => void
}

/** The dialog in which a purchase waits for an answer of the buyer. */
export function QuestionStep({ state, onClose }: Props) {
  if (state.step === 'place') {
    return <PlaceDialog guess={state.guess} onClose={onClose} onSaved={state.again} />
  }
  if (state.step !== 'twice') return null
  return <TwiceDialog message={state.message} onClose={onClose} onSure={state.again} />
}
