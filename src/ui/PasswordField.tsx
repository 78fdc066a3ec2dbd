import { useState } from 'react'
import { Field, type FieldProps } from './Field.tsx'
import { useDisabledUntilHydrated } from './use-hydrated.ts'

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
export function PasswordField({ autoComplete, rules, onValue, ...field }: Props) {
  const [isShown, setIsShown] = useState(false)
  const untilHydrated = useDisabledUntilHydrated()
  return (
    <Field {...field} footer={rules && <Checklist rules={rules} />}>
      {(control) => (
        <div className="password">
          <input
            {...control}
            type={isShown ? 'text' : 'password'}
            autoComplete={autoComplete}
            autoCapitalize="none"
            spellCheck={false}
            onChange={(event) => onValue(event.target.value)}
          />
          <button
            {...untilHydrated}
            type="button"
            className="password-toggle"
            aria-controls={field.id}
            onClick={() => setIsShown(!isShown)}
          >
            <span>{isShown ? 'Hide' : 'Show'}</span>
            <span className="visually-hidden"> {field.label}</span>
          </button>
        </div>
      )}
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
