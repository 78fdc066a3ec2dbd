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
  onLeave?: (event: FocusEvent) => void
}

interface Props {
  id: string
  label: string
  hint?: string | undefined
  error?: string | undefined
  isOptional?: boolean | undefined
  children: ReactNode
  /** Shown below the error. */
  footer?: ReactNode
}

/** A control with its label, hint and error. */
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

/** The attributes that connect a control with its label, hint and error. */
export function describe(id: string, error: string | undefined, hasHint: boolean) {
  const described = [hasHint && hintId(id), error !== undefined && errorId(id)].filter(Boolean)
  return {
    id,
    'aria-invalid': error !== undefined || undefined,
    'aria-describedby': described.length > 0 ? described.join(' ') : undefined,
  }
}
