interface Props {
  children: string
}

/** A loading message. It appears after 400 ms (CSS), so that fast answers do not flicker. */
export function Loading({ children }: Props) {
  return (
    <p className="loading" role="status">
      <span className="spinner" aria-hidden="true" />
      {children}
    </p>
  )
}

/** The shape of something that is still to come: two grey lines, for the eye alone. */
export function Shape() {
  return <div className="shape" aria-hidden="true" />
}
