export type LogFields = Record<string, string | number | boolean | null>

export interface Log {
  info(event: string, fields?: LogFields): void
  /** Something did not work and was done without. */
  warn(event: string, fields?: LogFields): void
  /** For an operator to look at: something needs a hand. */
  alert(event: string, fields?: LogFields): void
  error(event: string, error: unknown, fields?: LogFields): void
}
