import { inject } from 'vitest'

const worker = Number(process.env['VITEST_WORKER_ID'] ?? 0)
let addresses = 0

/** An IP address that nobody else in this run has, so that tests do not share rate limits. Each is in a network of its own. */
export function newAddress(): string {
  addresses += 1
  return `10.${addresses % 256}.${(addresses >> 8) % 256}.${worker % 256}`
}

export interface Answer {
  status: number
  headers: Headers
  /** The parsed JSON, or the text when the body is not JSON. */
  body: unknown
}

/** The bytes of an answer's headers and JSON body, before compression. */
export function bytesOf({ headers, body }: Answer): number {
  const lines = [...headers].map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.byteLength(lines.join('') + JSON.stringify(body))
}

export interface CallOptions {
  method?: string
  /** Sent as JSON. */
  json?: unknown
  /** Sent unchanged. */
  text?: string
  headers?: Record<string, string>
  bearer?: string
}

export interface Visitor {
  address: string
  call: (path: string, options?: CallOptions) => Promise<Answer>
}

/** A visitor who calls the site from an IP address of their own. */
export function newVisitor(siteUrl: string): Visitor {
  const address = newAddress()
  return { address, call: (path, options = {}) => call(new URL(path, siteUrl), address, options) }
}

/** A visitor of the site of this run. */
export const visitor = () => newVisitor(inject('siteUrl'))

/** The same visitor, signed in by this bearer token. */
export const signedIn = (visitor: Visitor, bearer: string): Visitor => ({
  ...visitor,
  call: (path, options = {}) => visitor.call(path, { bearer, ...options }),
})

async function call(url: URL, address: string, options: CallOptions): Promise<Answer> {
  const { headers, ...init } = initOf(options)
  const own = {
    'cf-connecting-ip': address,
    // The local runtime drops a connection when it rejects a request unread, so no connection is used twice.
    connection: 'close',
  }
  return answerOf(await fetch(url, { ...init, headers: { ...own, ...headers } }))
}

/** The request of a call. */
export function initOf({ json, text, bearer, headers, method }: CallOptions) {
  const body = json === undefined ? text : JSON.stringify(json)
  return {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    redirect: 'manual' as const,
    headers: {
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...(bearer ? { authorization: `Bearer ${bearer}` } : {}),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  }
}

/** What a response says. */
export async function answerOf(response: Response): Promise<Answer> {
  return { status: response.status, headers: response.headers, body: parse(await response.text()) }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
