import type { HTMLInputAutoCompleteAttribute } from 'react'
import { Field, type FieldProps } from './Field.tsx'

interface Props extends FieldProps<string> {
  type?: 'text' | 'email' | 'tel' | 'url' | 'datetime-local' | undefined
  autoComplete?: HTMLInputAutoCompleteAttribute
  /** The keyboard of a phone. */
  inputMode?: 'numeric'
  placeholder?: string
  /** Turns off spelling and capitalisation, for names, codes and addresses. */
  isVerbatim?: boolean
  className?: string
}

const VERBATIM = { autoCapitalize: 'none', spellCheck: false, autoCorrect: 'off' } as const

export function TextField(props: Props) {
  const { type = 'text', autoComplete, inputMode, placeholder, isVerbatim, className = '' } = props
  return (
    <Field {...props}>
      {(control) => (
        <input
          {...control}
          {...(isVerbatim ? VERBATIM : type === 'text' && { dir: 'auto' })}
          className={`input ${className}`.trim()}
          {...{ type, autoComplete, inputMode, placeholder }}
          onChange={(event) => props.onValue(event.target.value)}
        />
      )}
    </Field>
  )
}
