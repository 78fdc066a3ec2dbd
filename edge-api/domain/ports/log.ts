import type { AlertKind } from './alerts.ts'

export type LogFields = Record<string, string | number | boolean | null>

export interface Log {
  info(event: string, fields?: LogFields): void
  /** Something failed and the request went on without it. */
  warn(event: string, fields?: LogFields): void
  /** An operator has to do something. */
  alert(event: AlertKind, fields?: LogFields): void
  error(event: string, error: unknown, fields?: LogFields): void
}
