import { Hono } from 'hono'
import { requestId } from 'hono/request-id'
import { healthEndpoint, liveEndpoint } from '../../src/contract/health.ts'
import { SERVER } from '../../src/contract/messages.ts'
import { fail } from './failure.ts'
import { securityHeaders } from './security-headers.ts'

interface NotConfiguredEnv {
  /** `fault` names the variables that are missing or unusable. */
  Bindings: { fault: string }
  Variables: { requestId: string }
}

/**
 * Answers instead of the API while its configuration is unusable. The log names the variables at fault, and the answers
 * do not. The liveness endpoint still answers 200.
 */
export const notConfigured = new Hono<NotConfiguredEnv>()

notConfigured.use(requestId({ headerName: '' }))
notConfigured.use(securityHeaders)
notConfigured.use(async (c, next) => {
  await next()
  c.res.headers.set('X-Request-Id', c.get('requestId'))
})
notConfigured.get(liveEndpoint.path, (c) => c.json({ success: true }))
notConfigured.use(async (c, next) => {
  const fields = { requestId: c.get('requestId'), error: c.env.fault }
  console.error(JSON.stringify({ level: 'alert', event: 'not configured', ...fields }))
  await next()
})
notConfigured.all(healthEndpoint.path, (c) =>
  fail(c, 'NOT_READY', 'Down: configuration', { retryAfterSeconds: 60, extra: HEALTH }),
)
notConfigured.all('*', (c) =>
  fail(c, 'NOT_CONFIGURED', SERVER.notConfigured, { retryAfterSeconds: 60 }),
)

const HEALTH = {
  live: true,
  ready: false,
  parts: { configuration: { status: 'down', detail: 'the log names what is missing' } },
}
