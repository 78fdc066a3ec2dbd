import { Field, type FieldProps } from './Field.tsx'

interface Props<Value extends string> extends Omit<FieldProps<string>, 'onValue'> {
  options: readonly { value: Value; label: string }[]
  onValue: (value: Value) => void
  /** Shown while nothing is chosen. */
  placeholder?: string
}

export function SelectField<Value extends string>(props: Props<Value>) {
  const { options, onValue, placeholder, ...field } = props
  return (
    <Field {...field}>
      {(control) => (
        <select
          {...control}
          onChange={(event) => {
            const chosen = options.find(({ value }) => value === event.target.value)
            if (chosen !== undefined) onValue(chosen.value)
          }}
        >
          {placeholder !== undefined && (
            <option value="" disabled>
              {placeholder}
            </option>
          )}
          {options.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
