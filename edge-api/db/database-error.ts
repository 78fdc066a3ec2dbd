/** The database could not be reached or did not answer in time. Whether a write was done is unknown. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable'
}

/** Too many calls are under way, here or at the server: nothing was done. */
export class DatabaseBusy extends Error {
  override readonly name = 'DatabaseBusy'
}

/** The schema rejected the change: a constraint or a trigger, named in the message. */
export class ConstraintViolation extends Error {
  override readonly name = 'ConstraintViolation'
}
