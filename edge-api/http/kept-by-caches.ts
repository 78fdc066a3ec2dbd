import type { MiddlewareHandler } from 'hono'
import { etag, RETAINED_304_HEADERS } from 'hono/etag'
import type { AppEnv } from './env.ts'

/** Caches may keep the answer, and ask each time whether it is still right: prices change with a deployment. */
const allowKeeping: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next()
  if (c.res.ok || c.res.status === 304) c.header('Cache-Control', 'public, no-cache')
}

/** For answers that are the same for everybody: an ETag, and 304 to who has the answer already. */
export const keptByCaches = [
  allowKeeping,
  etag({ retainedHeaders: [...RETAINED_304_HEADERS, 'X-Request-Id'] }),
] as const
