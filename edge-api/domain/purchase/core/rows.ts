// Lists of rows. What stays as it was is the very same object (decide.ts), so that save.ts writes what differs.

/** Whether a row is of this payment. */
export const isOf = (paymentId: string) => (row: { paymentId: string }) =>
  row.paymentId === paymentId

/** In minor units. */
export const sum = (list: readonly { amountMinor: number }[]) =>
  list.reduce((total, { amountMinor }) => total + amountMinor, 0)

const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1)

interface Arrived {
  id: string
  createdAt: number
}

/** Orders by the time when we learned of them. */
export const byArrival = (one: Arrived, other: Arrived) =>
  one.createdAt - other.createdAt || byId(one, other)

interface Begun {
  id: string
  beganAt: number
}

/** Orders by the time when they began at Razorpay. */
export const byBeginning = (one: Begun, other: Begun) =>
  one.beganAt - other.beganAt || byId(one, other)

/** The row with these values: the very same object when it has them already. */
export function withChanges<Row extends object>(row: Row, changes: Partial<Row>): Row {
  for (const name in changes) if (changes[name] !== row[name]) return { ...row, ...changes }
  return row
}

/** The list with each row as `change` returns it: the very same list when it returns every row as it was. */
export function mapRows<Row>(list: readonly Row[], change: (row: Row) => Row): readonly Row[] {
  const next = list.map(change)
  return next.every((row, place) => row === list[place]) ? list : next
}

/** The list with this row: added, or as `merge` makes it from the one with its id. */
export function put<Row extends { id: string }>(
  list: readonly Row[],
  row: Row,
  merge: (stored: Row) => Row,
): readonly Row[] {
  if (!list.some(({ id }) => id === row.id)) return [...list, row]
  return mapRows(list, (stored) => (stored.id === row.id ? merge(stored) : stored))
}

/** The rows that are not the very ones of before. */
export function changed<Row extends object>(
  before: readonly object[],
  after: readonly Row[],
): Row[] {
  return after.filter((row) => !before.includes(row))
}
