import { setTimeout as wait } from 'node:timers/promises'
import type { MiddlewareHandler } from 'hono'
import { ConnectionDropped } from '../core/errors.ts'
import type { FaultRule } from '../core/fault-rule.ts'
import { WireAction } from '../core/fault-rule.ts'
import { takeFault } from '../core/take-fault.ts'
import type { World } from '../core/world.ts'

const keptEntries = 1000

const html = '<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>'

const descriptions: Record<number, string> = {
  401: 'Authentication failed',
  409: 'A request with the same idempotency key is in progress.',
  404: 'The requested URL was not found on the server.',
  429: 'Too many requests',
}

/** An answer with the given status and a body that is JSON or HTML. */
function statusAnswer({ code, body }: Extract<WireAction, { type: 'status' }>) {
  const headers = { 'content-type': body === 'html' ? 'text/html' : 'application/json' }
  const error = {
    code: code >= 500 ? 'SERVER_ERROR' : 'BAD_REQUEST_ERROR',
    description:
      descriptions[code] ??
      'The server encountered an error. The incident has been reported to admins.',
    metadata: {},
  }
  const text = body === 'html' ? html : JSON.stringify({ error })
  return new Response(text, { status: code, headers })
}

async function slowly(response: Response, ms: number): Promise<Response> {
  const bytes = new Uint8Array(await response.arrayBuffer())
  const middle = Math.floor(bytes.length / 2)
  const body = new ReadableStream({
    async start(controller) {
      controller.enqueue(bytes.slice(0, middle))
      await wait(ms, undefined, { ref: false })
      controller.enqueue(bytes.slice(middle))
      controller.close()
    },
  })
  return new Response(body, response)
}

async function truncated(response: Response): Promise<Response> {
  const text = await response.text()
  return new Response(text.slice(0, Math.ceil(text.length / 2)), response)
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

/**
 * Applies the first wire fault that matches: some answer in place of the emulator, some change or drop its
 * answer. Waits take real time, as on a network.
 */
export function wireFaults(world: World): MiddlewareHandler<{
  Variables: { fault: FaultRule['action']['type'] }
}> {
  return async (c, next) => {
    const { method, path, raw } = c.req
    const action = takeFault(world, WireAction, { method, path })
    if (action === null) return next()
    c.set('fault', action.type)
    switch (action.type) {
      case 'hang':
        return hang(raw.signal)
      case 'reset':
        throw new ConnectionDropped()
      case 'status':
        return statusAnswer(action)
      case 'commit_then_reset':
        await next()
        throw new ConnectionDropped()
      case 'commit_then_504':
        await next()
        c.res = statusAnswer({ type: 'status', code: 504, body: 'html' })
        return undefined
      case 'slow_body':
        await next()
        c.res = await slowly(c.res, action.ms)
        return undefined
      case 'truncated_json':
        await next()
        c.res = await truncated(c.res)
        return undefined
    }
  }
}

/** Keeps the newest requests for the console and for tests. */
export function journal(world: World): MiddlewareHandler<{
  Variables: { fault: FaultRule['action']['type'] }
}> {
  return async (c, next) => {
    const { method, path } = c.req
    const entry = { at: world.clock.now(), method, path, status: null, fault: null }
    try {
      await next()
      world.journal.push({ ...entry, status: c.res.status, fault: c.get('fault') ?? null })
    } catch (cause) {
      world.journal.push({ ...entry, fault: c.get('fault') })
      throw cause
    }
    world.journal = world.journal.slice(-keptEntries)
  }
}
