import { healthEndpoint, liveEndpoint } from '../../src/contract/health.ts'
import { SERVER } from '../../src/contract/messages.ts'

/**
 * The answer when the environment cannot be read. The operator reads in the log which variable is at
 * fault; the visitor reads that it is not their fault. Alive the Worker is all the same.
 */
export function notConfigured(request: Request, fault: string): Response {
  const { pathname } = new URL(request.url)
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (isRead && pathname === liveEndpoint.path) return json({ success: true }, 200)
  const requestId = crypto.randomUUID()
  console.error(
    JSON.stringify({ level: 'alert', event: 'not configured', requestId, error: fault }),
  )
  const why = pathname === healthEndpoint.path ? NOT_READY : NOT_CONFIGURED
  return json({ success: false, ...why, requestId }, 503, {
    'Retry-After': '60',
    'X-Request-Id': requestId,
  })
}

const NOT_CONFIGURED = { code: 'NOT_CONFIGURED', message: SERVER.notConfigured }
const NOT_READY = {
  code: 'NOT_READY',
  message: 'Down: configuration',
  live: true,
  ready: false,
  parts: { configuration: { status: 'down', detail: 'the log names what is missing' } },
}

/** No middleware has run: the headers of every other answer are set here. */
function json(body: object, status: number, headers: Record<string, string> = {}): Response {
  return Response.json(body, {
    status,
    headers: {
      ...headers,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Strict-Transport-Security': 'max-age=63072000; includeSubDomains; preload',
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    },
  })
}
