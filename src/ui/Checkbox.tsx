import type { FieldProps } from './Field.tsx'

type Props = Pick<FieldProps<boolean>, 'id' | 'name' | 'label' | 'hint' | 'value' | 'onValue'>

export function Checkbox({ id, name, label, hint, value, onValue }: Props) {
  return (
    <div className="check">
      <input
        id={id}
        name={name}
        type="checkbox"
        checked={value}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => onValue(event.target.checked)}
      />
      <label htmlFor={id}>{label}</label>
      {hint !== undefined && (
        <p className="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}
