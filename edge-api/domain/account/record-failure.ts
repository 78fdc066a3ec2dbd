import type { Context } from '../context.ts'
import { recordEvent } from './account-event.ts'

/**
 * Records that somebody typed a wrong password for the account. Written after the answer, so that a known address does
 * not answer later than an unknown one.
 */
export function recordFailure(ctx: Context, userId: string): void {
  ctx.waitUntil(async () => {
    await ctx.db.batch([recordEvent(ctx, { userId, kind: 'sign_in_failed' })])
  })
}
