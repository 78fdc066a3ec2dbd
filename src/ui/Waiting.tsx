interface Props {
  children: string
}

/** Something takes longer: appears after 400 ms (styles), so that quick answers do not flicker. */
export function Waiting({ children }: Props) {
  return (
    <p className="waiting" role="status">
      <span className="spinner" aria-hidden="true" />
      {children}
    </p>
  )
}
