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

interface Answer {
  baton: string | null
  base_url: string | null
  results: {
    type: string
    response?: { type: string; is_autocommit?: boolean; result?: { step_errors?: unknown[] } }
  }[]
}

/**
 * Leaves each batch its first error alone. When a transaction takes too long, all its further steps have one, and the client
 * handles the first: each other would be an unhandled rejection, which ends Node.
 */
export function keepFirstErrors(answer: Answer): Answer {
  for (const { response } of answer.results) {
    const errors = response?.result?.step_errors ?? []
    errors.fill(null, errors.findIndex((error) => error !== null) + 1)
  }
  return answer
}

/** The JSON that the client writes around a call's requests: it ends each call by closing its stream. */
const BEFORE = '{"requests":['
const AFTER = ',{"type":"close"}]}'
/** Requests that store a text, and statements that name one. Within texts and values the quotes would be escaped. */
const STORE = /\{"type":"store_sql","sql_id":\d+,"sql":("[^"\\]*(?:\\.[^"\\]*)*")\},/g
const NAMED = /"stmt":\{"sql_id":(\d+)/g
const done = (type: string) => ({ type: 'ok', response: { type } })

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
    // The last one is the newest. The server has most likely closed the others.
    idle.length = 0
    return undefined
  }
  return (timeoutMs: number) => async (call: Request) => {
    const asked = await call.text()
    if (!asked.startsWith(BEFORE) || !asked.endsWith(AFTER)) {
      throw new TypeError('Expected the requests of one call')
    }
    // A text that is stored in a stream stays there, and the next call would give its id to another.
    const texts: string[] = []
    const work = asked
      .slice(BEFORE.length, -AFTER.length)
      .replace(STORE, (_, text: string) => (texts.push(text), ''))
      .replace(NAMED, (_, id: string) => `"stmt":{"sql":${texts[Number(id)]}`)
    // Compressing an answer takes the server longer than finding it: a few ms for gzip, 25 ms or more for Brotli.
    call.headers.set('accept-encoding', 'identity')
    const post = async ({ baton, url }: Omit<Stream, 'idleSince'>) => {
      const body = `{"baton":${JSON.stringify(baton)},"requests":[${work},{"type":"get_autocommit"}]}`
      const signal = AbortSignal.timeout(timeoutMs)
      const response = await send(url, { method: 'POST', headers: call.headers, body, signal })
      return { response, rejection: response.ok ? '' : await response.text(), url }
    }
    const kept = takeIdle()
    // Only version 3 tells whether a transaction is still open.
    const fresh = { baton: null, url: call.url.replace(/v2\/pipeline$/, 'v3/pipeline') }
    let sent = await post(kept ?? fresh)
    if (kept && FORGOTTEN.test(sent.rejection)) sent = await post(fresh)
    const { response, rejection } = sent
    if (!response.ok) {
      // A 400 about a used baton has no code of its own: the write that used it may have run.
      const code = /baton/i.test(rejection) ? undefined : CODES[response.status]
      throw new LibsqlError(
        `the database answered ${response.status}: ${rejection.slice(0, 400)}`,
        code ?? 'SERVER_ERROR',
      )
    }
    const { baton, base_url: base, results } = keepFirstErrors(await response.json())
    if (baton && results[1]?.response?.is_autocommit === true) {
      const url = base ? `${base.replace(/\/$/, '')}/v3/pipeline` : sent.url
      idle.push({ baton, url, idleSince: clock() })
    }
    const json = { results: [...texts.map(() => done('store_sql')), results[0], done('close')] }
    return Object.assign(response, { json: () => Promise.resolve(json) })
  }
}
