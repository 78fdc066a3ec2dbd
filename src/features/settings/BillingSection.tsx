import { useEffect } from 'react'
import type { User } from '../../contract/account.ts'
import { createBilling } from '../billing/billing.ts'
import { Panel } from '../../ui/Panel.tsx'
import { Button } from '../../ui/Button.tsx'
import { BillingForm } from '../billing/BillingForm.tsx'

const billing = createBilling()

/** Billing details, where prices include tax: the place decides which tax it is. */
export default function BillingSection({ user }: { user: User }) {
  // A theme saved meanwhile makes another object of the same user, and must not undo what was typed.
  useEffect(() => billing.show(user), [user.id])
  return (
    <Panel title="Billing details">
      <p>
        These appear on future receipts. Prices include any tax, which depends on where you are.
      </p>
      <BillingForm form={billing.form}>
        {(submit) => (
          <Button {...submit} look="secondary" busyLabel="Saving…">
            Save billing details
          </Button>
        )}
      </BillingForm>
    </Panel>
  )
}
