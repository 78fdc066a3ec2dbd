import { lazy, Suspense } from 'react'
import { loadPart } from '../../lib/load-part.ts'
import type { PurchaseState } from '../../stores/purchase-flow.ts'
import { ErrorBoundary } from '../../ui/ErrorBoundary.tsx'

const PlaceDialog = lazy(() => loadPart(() => import('./PlaceDialog.tsx')))

interface Props {
  state: PurchaseState
  onClose: () => void
}

/** The dialog that asks for the buyer's state, while a purchase waits for it. */
export function PlaceStep({ state, onClose }: Props) {
  if (state.step !== 'place') return null
  return (
    <ErrorBoundary of="the billing details">
      <Suspense>
        <PlaceDialog onClose={onClose} onSaved={state.again} />
      </Suspense>
    </ErrorBoundary>
  )
}
