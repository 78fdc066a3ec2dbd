import { useStore } from '@nanostores/react'
import { session } from '../../stores/browser.ts'
import { createStepUp } from '../../stores/step-up.ts'
import { onDemand } from '../../ui/on-demand.tsx'

const StepUpDialog = onDemand('the confirmation', () => import('./StepUpDialog.tsx'))

/** For calls that may need a confirmation. The page must show `StepUp`. */
export const stepUp = createStepUp(session.call)

/** Shows the dialog in which the user confirms who they are, while a call waits for it. */
export function StepUp() {
  const pending = useStore(stepUp.$pending)
  return pending !== null && <StepUpDialog onFinish={stepUp.finish} />
}
