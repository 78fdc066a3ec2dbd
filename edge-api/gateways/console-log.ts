import type { Log, LogFields } from '../domain/ports/log.ts'

/** Writes one JSON line for each event, as Workers Logs index them. Errors carry their stack, never a request's content. */
export const consoleLog: Log = {
  info(event, fields) {
    console.log(line('info', event, fields))
  },
  warn(event, fields) {
    console.warn(line('warn', event, fields))
  },
  alert(event, fields) {
    console.warn(line('alert', event, fields))
  },
  error(event, error, fields) {
    console.error(line('error', event, { ...fields, ...describe(error) }))
  },
}

function line(level: string, event: string, fields: LogFields = {}): string {
  return JSON.stringify({ level, event, ...fields })
}

/** The error with its chain of causes. */
function describe(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: typeof error }
  const cause = error.cause instanceof Error ? `${error.cause.name}: ${error.cause.message}` : null
  return { error: `${error.name}: ${error.message}`, cause, stack: error.stack ?? null }
}
