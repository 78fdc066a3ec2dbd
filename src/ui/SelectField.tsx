import type { FieldProps } from './Field.tsx'
import { describe, Field } from './Field.tsx'

interface Props<Value extends string> extends Omit<FieldProps<string>, 'onValue'> {
  options: readonly { value: Value; label: string }[]
  onValue: (value: Value) => void
  /** Shown while nothing is chosen. */
  placeholder?: string
}

export function SelectField<Value extends string>(props: Props<Value>) {
  const { id, name, label, value, error, onValue, onLeave, options, placeholder } = props
  return (
    <Field id={id} label={label} error={error}>
      <select
        {...describe(id, error, false)}
        className="input"
        name={name}
        value={value}
        onChange={(event) => {
          const chosen = options.find(({ value }) => value === event.target.value)
          if (chosen !== undefined) onValue(chosen.value)
        }}
        onBlur={onLeave}
      >
        {placeholder !== undefined && (
          <option value="" disabled>
            {placeholder}
          </option>
        )}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </Field>
  )
}
