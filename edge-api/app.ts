import { type Context as HonoContext, Hono } from 'hono'
import { requestId } from 'hono/request-id'
import type { AppEnv } from './http/env.ts'
import { handleError, mountUnknown, rejectOtherMethods } from './http/failure.ts'
import { nameOAuthError } from './http/oauth-error.ts'
import { observe } from './http/observe.ts'
import { securityHeaders } from './http/security-headers.ts'
import { exchangeDeviceCookie } from './http/sign-in-cookie.ts'
import { mountAccount } from './routes/account.ts'
import { mountCspReport } from './routes/csp-report.ts'
import { mountFactors } from './routes/factors.ts'
import { mountGoogle } from './routes/google.ts'
import { mountLocal } from './routes/local.ts'
import { mountProvider } from './routes/provider.ts'
import { mountPublicCalls } from './routes/public.ts'
import { mountPurchase } from './routes/purchase.ts'
import { mountSessions } from './routes/session.ts'
import { mountSubscription } from './routes/subscription.ts'
import { mountTokens } from './routes/tokens.ts'

/**
 * The API. Each isolate builds it once, and each request brings its services (`app.fetch(request, services)`). The order of
 * the middleware matters for security: an id for the request, headers on every answer, one log line, 405, then the routes
 * (bearer token, rate limit, input, handler), then 404.
 */
export function createApp(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  // A caller's own id could name another request, or forge one, in the log.
  app.use(requestId({ headerName: '' }))
  app.use(securityHeaders)
  app.use(observe())
  app.onError(handleError)
  app.use('/api/device/:call{code|token}', nameOAuthError)
  app.use(rejectOtherMethods(app))
  app.use(exchangeDeviceCookie)
  mountAccount(app)
  mountSessions(app)
  mountFactors(app)
  mountGoogle(app)
  mountPublicCalls(app)
  mountSubscription(app)
  mountTokens(app)
  mountPurchase(app)
  mountProvider(app)
  mountCspReport(app)
  mountLocal(app)
  for (const path of ['/admin', '/admin/*', '/__local/access']) app.all(path, answerAdmin)
  mountUnknown(app)
  return app
}

/** The admin pages, which few requests need. */
async function answerAdmin(c: HonoContext<AppEnv>): Promise<Response> {
  c.set('route', `${c.req.method} /admin`)
  const { adminPages: pages, ctx } = c.env
  if (pages === undefined) return c.notFound()
  const { admin } = await import('./admin/admin.ts')
  return admin.fetch(c.req.raw, { ctx, pages, requestId: c.get('requestId') })
}
