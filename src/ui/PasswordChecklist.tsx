interface Props {
  rules: readonly { id: string; label: string; holds: boolean }[]
}

/** The rules of a password, each ticked as soon as it holds. */
export function PasswordChecklist({ rules }: Props) {
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
