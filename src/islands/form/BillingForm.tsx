import type { ReactNode } from 'react'
import { PLACES } from '../../contract/billing.ts'
import type { Billing } from '../../stores/billing.ts'
import { SelectField } from '../../ui/SelectField.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { Problem, useForm } from './use-form.tsx'

const OPTIONS = Object.entries(PLACES)
  .map(([value, label]) => ({ value, label }))
  .toSorted((a, b) => a.label.localeCompare(b.label))

interface Props {
  form: Billing['form']
  children: (submit: ReturnType<typeof useForm>['submit']) => ReactNode
}

/** For whom a receipt is made out; `children` are its buttons. */
export function BillingForm({ form, children }: Props) {
  const { state, bind, frame, submit } = useForm(form)
  return (
    <form {...frame} className="form form-narrow">
      <Problem text={state.problem} />
      <SelectField
        {...bind('place')}
        label="State"
        options={OPTIONS}
        placeholder="Choose your state"
      />
      <TextField {...bind('name')} label="Name or company" autoComplete="organization" isOptional />
      <TextField {...bind('address')} label="Address" autoComplete="street-address" isOptional />
      <TextField {...bind('gstin')} label="GSTIN" isVerbatim isOptional />
      {children(submit)}
    </form>
  )
}
