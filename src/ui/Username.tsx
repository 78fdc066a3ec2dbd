/** Whose password a form sets: password managers read it, and nobody sees it. */
export function Username({ email }: { email: string }) {
  return (
    <input
      className="visually-hidden"
      autoComplete="username"
      value={email}
      readOnly
      tabIndex={-1}
      aria-hidden="true"
    />
  )
}
