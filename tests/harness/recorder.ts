import { z } from 'zod'
import { proxyBefore } from './database-proxy.ts'
import { listen, stopServer } from './listen.ts'

const Json = z.json()
type Json = z.output<typeof Json>

/** One request of the Worker to its database. */
interface Exchange {
  /** The texts of its statements. */
  statements: readonly string[]
  /** How many rows the server read for them, as it reports. */
  rowsRead: number
}

export interface Recorder {
  url: string
  /** All requests so far, in order. */
  exchanges: () => readonly Exchange[]
  /** The text of every statement in them, each once. */
  statements: () => string[]
  rowsRead: () => number
  stop: () => Promise<void>
}

/** Stands in front of a libSQL server and records what is sent to it. */
export async function startRecorder(databaseUrl: string): Promise<Recorder> {
  const { server, passed } = proxyBefore(databaseUrl)
  const exchanges = (): Exchange[] =>
    passed.map(({ request, body }) => ({
      statements: request === '' ? [] : statementsIn(Json.parse(JSON.parse(request))),
      rowsRead: rowsReadIn(body),
    }))
  return {
    url: await listen(server),
    exchanges,
    statements: () => [...new Set(exchanges().flatMap(({ statements }) => statements))],
    rowsRead: () => exchanges().reduce((sum, exchange) => sum + exchange.rowsRead, 0),
    stop: () => stopServer(server),
  }
}

/** Every `sql` in a request of the Hrana protocol, at any depth. */
function statementsIn(value: Json): string[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap(statementsIn)
  return Object.entries(value).flatMap(([name, part]) =>
    name === 'sql' && typeof part === 'string' ? [part] : statementsIn(part),
  )
}

/** The sum of `rows_read` over the statements that an answer reports. */
function rowsReadIn(answer: string): number {
  return [...answer.matchAll(/"rows_read":(\d+)/g)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  )
}
