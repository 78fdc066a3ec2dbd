import { useEffect } from 'react'
import type { User } from '../../contract/account.ts'
import { createBilling } from '../../stores/billing.ts'
import { deps } from '../../stores/browser.ts'
import { Button } from '../../ui/Button.tsx'
import { BillingForm } from '../form/BillingForm.tsx'

const billing = createBilling(deps)

/** Billing details, where prices include tax: the state decides which tax it is. */
export default function BillingSection({ user }: { user: User }) {
  useEffect(() => {
    billing.show(user)
  }, [user])
  return (
    <section className="card panel" aria-labelledby="billing-title">
      <h2 id="billing-title">Billing details</h2>
      <p>
        They are on receipts of later purchases. Prices include the tax, which depends on your
        state.
      </p>
      <BillingForm form={billing.form}>
        {(isSubmitting) => (
          <Button type="submit" isBusy={isSubmitting} busyLabel="Saving…">
            Save billing details
          </Button>
        )}
      </BillingForm>
    </section>
  )
}
