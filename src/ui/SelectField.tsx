import type { FieldProps } from './Field.tsx'
import { describe, Field } from './Field.tsx'

interface Props extends FieldProps<string> {
  options: readonly { value: string; label: string }[]
  /** Shown while nothing is chosen. */
  placeholder?: string
}

export function SelectField(props: Props) {
  const { id, name, label, value, error, onValue, onLeave, options, placeholder } = props
  return (
    <Field id={id} label={label} error={error}>
      <select
        {...describe(id, error, false)}
        className="input select"
        name={name}
        value={value}
        onChange={(event) => onValue(event.target.value)}
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
