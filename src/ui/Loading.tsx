interface Props {
  children: string
}

/** Something takes longer: appears after 400 ms (styles), so that quick answers do not flicker. */
export function Loading({ children }: Props) {
  return (
    <p className="loading" role="status">
      <span className="spinner" aria-hidden="true" />
      {children}
    </p>
  )
}
