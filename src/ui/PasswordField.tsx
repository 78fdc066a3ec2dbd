import { useState } from 'react'
import type { FieldProps } from './Field.tsx'
import { describe, Field } from './Field.tsx'

interface Rule {
  id: string
  label: string
  holds: boolean
}

interface Props extends FieldProps<string> {
  autoComplete: 'current-password' | 'new-password'
  /** The rules of a new password; the list ticks them while the user types. */
  rules?: readonly Rule[] | undefined
}

/** A password, hidden until the user shows it. */
export function PasswordField(props: Props) {
  const { id, name, label, value, error, onValue, onLeave, autoComplete, rules } = props
  const [isShown, setIsShown] = useState(false)
  return (
    <Field id={id} label={label} error={error} footer={rules && <Checklist rules={rules} />}>
      <div className="password">
        <input
          {...describe(id, error, false)}
          className="input"
          name={name}
          type={isShown ? 'text' : 'password'}
          value={value}
          autoComplete={autoComplete}
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => onValue(event.target.value)}
          onBlur={onLeave}
        />
        <button
          type="button"
          className="password-toggle"
          aria-pressed={isShown}
          aria-controls={id}
          onClick={() => setIsShown(!isShown)}
        >
          {isShown ? 'Hide' : 'Show'}
          <span className="visually-hidden"> {label}</span>
        </button>
      </div>
    </Field>
  )
}

function Checklist({ rules }: { rules: readonly Rule[] }) {
  return (
    <ul className="checklist" aria-label="Your password needs">
      {rules.map((rule) => (
        <li key={rule.id} data-holds={rule.holds}>
          {rule.label}
          <span className="visually-hidden">{rule.holds ? ': done' : ': still missing'}</span>
        </li>
      ))}
    </ul>
  )
}
