import { useEffect } from 'react'
import type { User } from '../../contract/account.ts'
import { PLACES } from '../../contract/billing.ts'
import { deps } from '../../stores/browser.ts'
import { createBilling } from '../../stores/billing.ts'
import { Button } from '../../ui/Button.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { Problem } from '../form/Problem.tsx'
import { useForm } from '../form/use-form.ts'

const billing = createBilling(deps)

const OPTIONS = Object.entries(PLACES)
  .map(([value, label]) => ({ value, label }))
  .toSorted((a, b) => a.label.localeCompare(b.label))

/** Billing details, where prices include tax: the state decides which tax it is. */
export function BillingSection({ user }: { user: User }) {
  const { state, bind, frame } = useForm(billing.form)
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
      <form {...frame} className="form form-narrow">
        <Problem text={state.problem} />
        <SelectField
          {...bind('place')}
          label="State"
          options={OPTIONS}
          placeholder="Choose your state"
        />
        <TextField
          {...bind('name')}
          label="Name or company"
          autoComplete="organization"
          isOptional
        />
        <TextField {...bind('address')} label="Address" autoComplete="street-address" isOptional />
        <TextField {...bind('gstin')} label="GSTIN" isVerbatim isOptional />
        <Button type="submit" isBusy={state.isSubmitting} busyLabel="Saving…">
          Save billing details
        </Button>
      </form>
    </section>
  )
}
