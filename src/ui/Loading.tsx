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

/** A placeholder for something that is still loading: two grey lines, hidden from screen readers. */
export function Shape() {
  return <div className="shape" aria-hidden="true" />
}
