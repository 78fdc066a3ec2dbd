import { setTimeout as wait } from 'node:timers/promises'
import type { WireAction } from './rule.ts'

/** The connection ended without an answer, as `fetch` reports it. */
export class ConnectionDropped extends TypeError {
  constructor() {
    super('fetch failed', { cause: { code: 'ECONNRESET' } })
    this.name = 'ConnectionDropped'
  }
}

/** Whether a wire fault can strike this request at all; most are about the API alone. */
export function suits(action: WireAction, method: string, path: string): boolean {
  if (action.type === 'script_blocked') return path === '/checkout/v1/checkout.js'
  if (action.type === 'frame_blocked') return path === '/checkout/frame'
  if (!path.startsWith('/v1/')) return false
  if (action.type === 'capture_fails' || action.type === 'capture_then_error') {
    return method === 'POST' && path.endsWith('/capture')
  }
  return !action.type.startsWith('commit_') || method === 'POST'
}

const html = '<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>'

function statusText(code: number): string {
  if (code === 401) return 'Authentication failed'
  if (code === 429) return 'Too many requests'
  if (code === 404) return 'The requested URL was not found on the server.'
  return 'The server encountered an error. The incident has been reported to admins.'
}

/** An answer with a status of choice and a body that is JSON, HTML, `null` or nothing. */
export function statusAnswer(action: Extract<WireAction, { type: 'status' }>): Response {
  const headers = new Headers({
    'content-type': action.body === 'html' ? 'text/html' : 'application/json',
  })
  if (action.retry_after !== undefined) headers.set('retry-after', String(action.retry_after))
  if (action.code >= 300 && action.code < 400) headers.set('location', 'http://localhost:9/moved')
  const code = action.code >= 500 ? 'SERVER_ERROR' : 'BAD_REQUEST_ERROR'
  const error = { error: { code, description: statusText(action.code), metadata: {} } }
  const bodies = { json: JSON.stringify(error), html, null: 'null', empty: '' }
  const hasBody = ![204, 205, 304].includes(action.code)
  return new Response(hasBody ? bodies[action.body] : null, { status: action.code, headers })
}

function badGateway(): Response {
  return statusAnswer({ type: 'status', code: 504, body: 'html' })
}

async function slowly(response: Response, ms: number): Promise<Response> {
  const bytes = new Uint8Array(await response.arrayBuffer())
  const middle = Math.floor(bytes.length / 2)
  const body = new ReadableStream({
    async start(controller) {
      controller.enqueue(bytes.slice(0, middle))
      await wait(ms)
      controller.enqueue(bytes.slice(middle))
      controller.close()
    },
  })
  return new Response(body, response)
}

function hang(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => {
      reject(new ConnectionDropped())
    }
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
  })
}

/** Carries a request out the way the fault wants it. Waits are in real time, like the network's. */
export async function strike(
  action: WireAction,
  signal: AbortSignal,
  carryOut: () => Promise<Response>,
): Promise<Response> {
  switch (action.type) {
    case 'hang':
      return hang(signal)
    case 'delay':
      await wait(action.ms)
      return carryOut()
    case 'reset':
      if (action.when === 'after') await carryOut()
      throw new ConnectionDropped()
    case 'script_blocked':
    case 'frame_blocked':
      throw new ConnectionDropped()
    case 'commit_then_reset':
      await carryOut()
      throw new ConnectionDropped()
    case 'commit_then_504':
      await carryOut()
      return badGateway()
    case 'capture_then_error':
      await carryOut()
      return statusAnswer({ type: 'status', code: 502, body: 'html' })
    case 'capture_fails':
      return statusAnswer({ type: 'status', code: 400, body: 'json' })
    case 'status':
      return statusAnswer(action)
    case 'slow_body':
      return slowly(await carryOut(), action.ms)
    case 'truncated_json': {
      const response = await carryOut()
      const text = await response.text()
      return new Response(text.slice(0, Math.ceil(text.length / 2)), response)
    }
  }
}

/** A `fetch` for which no name resolves: the fault that only the client's side can have. */
export function unresolvableFetch(): Promise<never> {
  return Promise.reject(new TypeError('fetch failed', { cause: { code: 'ENOTFOUND' } }))
}
