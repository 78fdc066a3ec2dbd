import { useState } from 'react'
import { createBilling } from '../billing/billing.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { BillingForm } from '../billing/BillingForm.tsx'

interface Props {
  /** Where the buyer probably is; empty when nobody knows. */
  guess: string
  onClose: () => void
  /** Called once the place is stored. */
  onSaved: () => void
}

/** Asks a buyer where they are, where prices include tax and the account does not say it. */
export default function PlaceDialog({ guess, onClose, onSaved }: Props) {
  const [billing] = useState(() => createBilling({ onSaved, place: guess }))
  return (
    <Dialog title="Where are you?" isOpen onClose={onClose}>
      <p>
        Prices include any tax. Where you are decides which tax the receipt shows. Name, address and
        GSTIN are for companies that need them on it.
      </p>
      <BillingForm form={billing.form}>
        {(submit) => (
          <div className="dialog-actions">
            <Button isBusy={submit.isBusy} onClick={onClose}>
              Cancel
            </Button>
            <Button {...submit} busyLabel="Saving…">
              Continue to payment
            </Button>
          </div>
        )}
      </BillingForm>
    </Dialog>
  )
}
