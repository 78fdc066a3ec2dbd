import { LibsqlError } from '@libsql/client/http'

/** The server closes a stream that nobody has used for ten seconds. */
const IDLE_MAX_MS = 5_000
/** What sqld and Turso answer to a baton that they no longer know. They have executed nothing. */
const FORGOTTEN = /STREAM_EXPIRED|invalid baton|stream not found/i
/** The error code of a server that has too much to do, or no connection left. It has executed nothing. */
export const SERVER_BUSY = 'SERVER_BUSY'
/** The error code for a request that the server cannot read, such as a text with half a character: our own fault. */
export const REQUEST_REFUSED = 'REQUEST_REFUSED'
const CODES: Readonly<Record<number, string>> = { 400: REQUEST_REFUSED, 429: SERVER_BUSY }

/** How the server recognises a stream: its secret, and the address it asked us to use from then on. */
interface Stream {
  baton: string | null
  url: string
  idleSince: number
}

interface Asked {
  type: string
  sql?: string
  sql_id?: number
  batch?: { steps: { stmt: Pick<Asked, 'sql' | 'sql_id'> }[] }
}

interface Answer {
  baton: string | null
  base_url: string | null
  results: { type: string; response?: { type: string; is_autocommit?: boolean } }[]
}

/**
 * A `fetch` for libSQL's client, which opens and closes a stream for each call. This one leaves it open for the next call of
 * any request: docs/decisions/0141-a-busy-isolate-keeps-its-database-connections.md.
 *
 * @param clock in milliseconds
 * @param send by which it posts
 */
export function keepStreams(clock: () => number, send: typeof fetch = fetch) {
  const idle: Stream[] = []
  const takeIdle = () => {
    const last = idle.pop()
    if (!last || clock() - last.idleSince < IDLE_MAX_MS) return last
    // The others are older.
    idle.length = 0
    return undefined
  }
  return (timeoutMs: number) => async (call: Request) => {
    const { baton: own, requests }: { baton?: string; requests: Asked[] } = await call.json()
    const [work, ...others] = requests.filter(({ type }) => !['store_sql', 'close'].includes(type))
    const isWhole = own === undefined && requests.at(-1)?.type === 'close' && others.length === 0
    if (!work || !isWhole) throw new TypeError('Expected one statement or one batch')
    // A text that is stored in a stream stays there, and the next call would give its id to another.
    const texts = new Map(requests.map(({ sql_id: id, sql }) => [id, sql]))
    for (const { stmt } of work.batch?.steps ?? []) {
      if ('sql_id' in stmt) Object.assign(stmt, { sql: texts.get(stmt.sql_id), sql_id: undefined })
    }
    // Compressing an answer takes the server longer than finding it: a few ms for gzip, 25 ms or more for Brotli.
    call.headers.set('accept-encoding', 'identity')
    const post = async ({ baton, url }: Omit<Stream, 'idleSince'>) => {
      const body = JSON.stringify({ baton, requests: [work, { type: 'get_autocommit' }] })
      const signal = AbortSignal.timeout(timeoutMs)
      const response = await send(url, { method: 'POST', headers: call.headers, body, signal })
      return { response, refusal: response.ok ? '' : await response.text(), url }
    }
    const kept = takeIdle()
    // Only version 3 tells whether a transaction is still open.
    const fresh = { baton: null, url: call.url.replace(/v2\/pipeline$/, 'v3/pipeline') }
    let sent = await post(kept ?? fresh)
    if (kept && FORGOTTEN.test(sent.refusal)) sent = await post(fresh)
    const { response, refusal } = sent
    if (!response.ok) {
      const code = CODES[response.status] ?? 'SERVER_ERROR'
      throw new LibsqlError(
        `the database answered ${response.status}: ${refusal.slice(0, 400)}`,
        code,
      )
    }
    const { baton, base_url: base, results }: Answer = await response.json()
    if (baton && results[1]?.response?.is_autocommit === true) {
      const url = base ? `${base.replace(/\/$/, '')}/v3/pipeline` : sent.url
      idle.push({ baton, url, idleSince: clock() })
    }
    const [done] = results
    const answers = requests.map(({ type }) =>
      type === work.type ? done : { type: 'ok', response: { type } },
    )
    return Object.assign(response, { json: () => Promise.resolve({ results: answers }) })
  }
}
