import type { AlertKind } from './alerts.ts'

/** `level` and `event` are the line's own. */
export type LogFields = Record<string, string | number | boolean | null> & {
  level?: never
  event?: never
}

export interface Log {
  info(event: string, fields?: LogFields): void
  /** Something failed and the request went on without it. */
  warn(event: string, fields?: LogFields): void
  /** An operator has to do something. */
  alert(event: AlertKind, fields?: LogFields): void
  error(event: string, error: unknown, fields?: LogFields): void
}
