import { useStore } from '@nanostores/react'
import { lazy, Suspense } from 'react'
import { loadPart } from '../../lib/load-part.ts'
import { stepUp } from './step-up.ts'

const StepUpDialog = lazy(() => loadPart(() => import('./StepUpDialog.tsx')))

/** Shows the dialog that confirms who the user is, while a call waits for it. */
export function StepUp() {
  const isAsking = useStore(stepUp.$isAsking)
  if (!isAsking) return null
  return (
    <Suspense>
      <StepUpDialog />
    </Suspense>
  )
}
