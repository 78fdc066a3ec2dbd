import { useStore } from '@nanostores/react'
import { stepUp } from './step-up.ts'
import { onDemand } from '../../ui/on-demand.tsx'

const StepUpDialog = onDemand('the confirmation', () => import('./StepUpDialog.tsx'))

/** Shows the dialog in which the user confirms who they are, while a call waits for it. */
export function StepUp() {
  const pending = useStore(stepUp.$pending)
  return pending !== null && <StepUpDialog onFinish={stepUp.finish} />
}
