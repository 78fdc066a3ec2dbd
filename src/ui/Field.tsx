import type { FocusEvent, ReactNode } from 'react'

/** The props of every form control. */
export interface FieldProps<Value> {
  id: string
  name: string
  label: string
  value: Value
  error?: string | undefined
  hint?: string | undefined
  isOptional?: boolean | undefined
  onValue: (value: Value) => void
  onLeave?: ((event: FocusEvent) => void) | undefined
}

interface Props extends Omit<FieldProps<string>, 'onValue'> {
  /** Draws the control with the attributes that connect it with its label, hint and error. */
  children: (control: ReturnType<typeof controlOf>) => ReactNode
  /** Shown below the error. */
  footer?: ReactNode
}

/** A control with its label, hint and error. */
export function Field(props: Props) {
  const { id, label, hint, error, isOptional, children, footer } = props
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
        {isOptional && <span className="field-optional"> (optional)</span>}
      </label>
      {children(controlOf(props))}
      {hint !== undefined && (
        <p className="field-hint" id={hintId(id)}>
          {hint}
        </p>
      )}
      <p className="field-error" id={errorId(id)} aria-live="polite">
        {error}
      </p>
      {footer}
    </div>
  )
}

const hintId = (id: string) => `${id}-hint`
const errorId = (id: string) => `${id}-error`

function controlOf({ id, name, value, hint, error, onLeave }: Omit<Props, 'children'>) {
  const described = [hint !== undefined && hintId(id), error !== undefined && errorId(id)]
  return {
    id,
    name,
    value,
    className: 'input',
    onBlur: onLeave,
    'aria-invalid': error !== undefined || undefined,
    'aria-describedby': described.filter(Boolean).join(' ') || undefined,
  }
}
