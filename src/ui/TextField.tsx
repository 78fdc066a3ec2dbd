import type { HTMLInputAutoCompleteAttribute } from 'react'
import type { FieldProps } from './Field.tsx'
import { describe, Field } from './Field.tsx'

interface Props extends FieldProps<string> {
  type?: 'text' | 'email' | 'tel' | 'url' | undefined
  autoComplete?: HTMLInputAutoCompleteAttribute
  placeholder?: string
  /** Turns off spelling and capitalisation, for names, codes and addresses. */
  isVerbatim?: boolean
  className?: string
}

export function TextField(props: Props) {
  const { id, name, label, value, error, hint, isOptional, onValue, onLeave } = props
  const { type = 'text', autoComplete, placeholder, isVerbatim, className } = props
  const verbatim = { autoCapitalize: 'none', spellCheck: false, autoCorrect: 'off' } as const
  return (
    <Field id={id} label={label} hint={hint} error={error} isOptional={isOptional}>
      <input
        {...describe(id, error, hint !== undefined)}
        {...(isVerbatim ? verbatim : {})}
        className={className === undefined ? 'input' : `input ${className}`}
        name={name}
        type={type}
        value={value}
        autoComplete={autoComplete}
        placeholder={placeholder}
        onChange={(event) => onValue(event.target.value)}
        onBlur={onLeave}
      />
    </Field>
  )
}
