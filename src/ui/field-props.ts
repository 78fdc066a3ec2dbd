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
