import type { ReactNode } from 'react'
import { OUTSIDE_INDIA, PLACES } from '../../contract/billing.ts'
import type { Billing } from './billing.ts'
import { SelectField } from '../../ui/SelectField.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { Problem, useForm } from '../form/use-form.tsx'

const isAbroad = ({ value }: { value: string }) => value === OUTSIDE_INDIA

/** The states by name, below the one answer of everybody else. */
const OPTIONS = Object.entries(PLACES)
  .map(([value, label]) => ({ value, label }))
  .sort((a, b) => Number(isAbroad(b)) - Number(isAbroad(a)) || a.label.localeCompare(b.label))

interface Props {
  form: Billing['form']
  children: (submit: ReturnType<typeof useForm>['submitProps']) => ReactNode
}

/** For whom a receipt is made out; `children` are its buttons. */
export function BillingForm({ form, children }: Props) {
  const { state, bind, formProps, submitProps } = useForm(form)
  return (
    <form {...formProps} className="form form-narrow">
      <Problem text={state.problem} />
      <SelectField
        {...bind('place')}
        label="Where you are"
        options={OPTIONS}
        placeholder="State, or outside India"
      />
      <TextField {...bind('name')} label="Name or company" autoComplete="organization" isOptional />
      <TextField {...bind('address')} label="Address" autoComplete="street-address" isOptional />
      <TextField {...bind('gstin')} label="GSTIN" isVerbatim isOptional />
      {children(submitProps)}
    </form>
  )
}
