/** The shape of something that is still to come: two grey lines, for the eye alone. */
export function Shape() {
  return <div className="shape" aria-hidden="true" />
}
