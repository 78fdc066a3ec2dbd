/** Small print beside a button: pressing it accepts the terms. `by` is what the user does. */
export function AcceptedTerms({ by }: { by: string }) {
  return (
    <p className="small muted">
      By {by}, you accept the <a href="/terms">terms</a>. What we store is on the{' '}
      <a href="/privacy">privacy page</a>.
    </p>
  )
}
