import type { ReactNode } from 'react'
import { useState } from 'react'
import type { FieldProps } from './Field.tsx'
import { describe, Field } from './Field.tsx'

interface Props extends FieldProps<string> {
  autoComplete: 'current-password' | 'new-password'
  /** E.g. the rules it has to keep. */
  below?: ReactNode
}

/** A password, hidden until asked for. Pasting and password managers work. */
export function PasswordField(props: Props) {
  const { id, name, label, value, error, hint, onValue, onLeave, autoComplete, below } = props
  const [isShown, setIsShown] = useState(false)
  return (
    <Field id={id} label={label} hint={hint} error={error} footer={below}>
      <div className="password">
        <input
          {...describe(id, error, hint !== undefined)}
          className="input"
          name={name}
          type={isShown ? 'text' : 'password'}
          value={value}
          autoComplete={autoComplete}
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => {
            onValue(event.target.value)
          }}
          onBlur={onLeave}
        />
        <button
          type="button"
          className="password-toggle"
          aria-pressed={isShown}
          aria-controls={id}
          onClick={() => {
            setIsShown(!isShown)
          }}
        >
          {isShown ? 'Hide' : 'Show'}
          <span className="visually-hidden"> {typeof label === 'string' ? label : 'password'}</span>
        </button>
      </div>
    </Field>
  )
}
