import type { Context as HonoContext, MiddlewareHandler } from 'hono'
import { BOOKMARK_HEADER } from '../../src/contract/bookmark.ts'
import type { AppEnv } from './env.ts'

/** Lets the reads of a call come from the replica when its caller tells what they have seen. */
export const readNear: MiddlewareHandler<AppEnv> = async (c, next) => {
  const bookmark = c.req.header(BOOKMARK_HEADER)
  if (bookmark !== undefined && /^\d{1,15}$/.test(bookmark)) c.env.ctx.db.mayLag(Number(bookmark))
  await next()
}

/** Tells the caller what an answer has seen. Where there is no replica, there is nothing to tell. */
export function writeBookmark(c: HonoContext<AppEnv>): void {
  const lastWrite = c.env.ctx.db.lastWrite()
  if (lastWrite > 0) c.res.headers.set(BOOKMARK_HEADER, String(lastWrite))
}
