import type { FocusEvent, ReactNode } from 'react'

/** What every control of a form has in common. */
export interface FieldProps<Value> {
  id: string
  name: string
  label: ReactNode
  value: Value
  error?: string | undefined
  hint?: ReactNode
  isOptional?: boolean
  onValue: (value: Value) => void
  onLeave?: (event: FocusEvent) => void
}

interface Props {
  id: string
  label: ReactNode
  hint?: ReactNode
  error?: string | undefined
  isOptional?: boolean
  children: ReactNode
  /** Below the error. */
  footer?: ReactNode
}

/** A label above, a control, and below it a hint or what is wrong. */
export function Field({ id, label, hint, error, isOptional, children, footer }: Props) {
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
        {isOptional && <span className="field-optional"> (optional)</span>}
      </label>
      {children}
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

/** What ties a control to its label, hint and error. */
export function describe(id: string, error: string | undefined, hasHint: boolean) {
  const described = [hasHint && hintId(id), error !== undefined && errorId(id)].filter(Boolean)
  return {
    id,
    'aria-invalid': error !== undefined || undefined,
    'aria-describedby': described.length > 0 ? described.join(' ') : undefined,
  }
}
