import type { Hono, MiddlewareHandler } from 'hono'
import { methodNotAllowed } from 'hono/method-not-allowed'
import { SERVER } from '../../src/contract/messages.ts'
import type { AppEnv } from './env.ts'
import { fail } from './failure.ts'

/** Answers a known path with another method with 405 and `Allow`. To strangers, the calls of the desk are unknown paths. */
export function refuseOtherMethods(app: Hono<AppEnv>): MiddlewareHandler<AppEnv> {
  return methodNotAllowed({
    app,
    onMethodNotAllowed: (c, methods) => {
      if (c.req.path.startsWith('/api/desk/')) return c.res
      c.header('Allow', methods.join(', '))
      return fail(c, 'METHOD_NOT_ALLOWED', SERVER.method)
    },
  })
}

/** Answers an unknown path of the API with 404, and anything else with a redirect to the landing page. */
export function mountUnknown(app: Hono<AppEnv>): void {
  app.all('/api/*', (c) => fail(c, 'NOT_FOUND', SERVER.notFound))
  app.notFound((c) => c.redirect('/', 302))
}
