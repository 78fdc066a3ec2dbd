import type { FieldProps } from './Field.tsx'
import { describe, Field } from './Field.tsx'

interface Props extends FieldProps<string> {
  rows: number
}

export function TextArea(props: Props) {
  const { id, name, label, value, error, hint, isOptional, onValue, onLeave, rows } = props
  return (
    <Field id={id} label={label} hint={hint} error={error} isOptional={isOptional}>
      <textarea
        {...describe(id, error, hint !== undefined)}
        className="input"
        name={name}
        rows={rows}
        value={value}
        onChange={(event) => onValue(event.target.value)}
        onBlur={onLeave}
      />
    </Field>
  )
}
