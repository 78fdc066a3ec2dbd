import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from './env.ts'

const ERRORS: Readonly<Record<number, string>> = {
  429: 'slow_down',
  500: 'server_error',
  503: 'temporarily_unavailable',
}

/**
 * Gives each failure of an OAuth call the `error` that OAuth's clients read, beside our own fields (RFC 6749 §5.2,
 * RFC 8628 §3.5). One that the handler has named stays.
 */
export const nameOAuthError: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next()
  const { status } = c.res
  if (status < 400) return
  const failure: unknown = await c.res.json()
  const body = { error: ERRORS[status] ?? 'invalid_request', ...Object(failure) }
  c.res = new Response(JSON.stringify(body), c.res)
}
