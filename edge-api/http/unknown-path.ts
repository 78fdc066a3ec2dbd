import type { Hono } from 'hono'
import { ENDPOINTS } from '../../src/contract/endpoints.ts'
import { SERVER } from '../../src/contract/messages.ts'
import type { AppEnv } from './env.ts'
import { fail } from './failure.ts'
import { honoPath } from './mount-endpoint.ts'

/**
 * Answers a known path with another method with 405 and `Allow`, an unknown path of the API with 404, and anything
 * else with a redirect to the landing page. Mount it after the routes.
 */
export function mountUnknown(app: Hono<AppEnv>): void {
  for (const path of pathsBySpecificity()) {
    const methods = ENDPOINTS.filter((endpoint) => honoPath(endpoint) === path).map(
      (endpoint) => endpoint.method,
    )
    app.all(path, (c) => {
      c.header('Allow', methods.join(', '))
      return fail(c, 'METHOD_NOT_ALLOWED', SERVER.method)
    })
  }
  app.all('/api/*', (c) => fail(c, 'NOT_FOUND', SERVER.notFound))
  app.notFound((c) => c.redirect('/', 302))
}

/** Paths without parameters come first, or a path with one would match them. */
function pathsBySpecificity(): string[] {
  const isOpen = (path: string) => Number(path.includes(':'))
  return [...new Set(ENDPOINTS.map(honoPath))].toSorted((a, b) => isOpen(a) - isOpen(b))
}
