import { SERVER } from '../../src/contract/messages.ts'

/**
 * The answer when the environment cannot be read. The operator reads in the log which variable is at
 * fault; the visitor reads that it is not their fault.
 */
export function notConfigured(fault: string): Response {
  const requestId = crypto.randomUUID()
  console.error(
    JSON.stringify({ level: 'alert', event: 'not configured', requestId, error: fault }),
  )
  const body = {
    success: false,
    code: 'NOT_CONFIGURED',
    message: SERVER.notConfigured,
    requestId,
  }
  return Response.json(body, {
    status: 503,
    headers: {
      'Retry-After': '60',
      'Cache-Control': 'no-store',
      'X-Request-Id': requestId,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Strict-Transport-Security': 'max-age=63072000; includeSubDomains; preload',
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    },
  })
}
