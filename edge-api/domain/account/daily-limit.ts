import { eq, type SQL, sql } from 'drizzle-orm'
import { DAILY_LIMITS } from '../../../src/contract/limits.ts'
import { SERVER } from '../../../src/contract/messages.ts'
import { insertFrom } from '../../db/insert-from.ts'
import { dailyCounts } from '../../db/schema/records.ts'
import type { Context } from '../context.ts'
import { keyedHash } from '../crypto/sign.ts'
import { ApiError } from '../api-error.ts'
import { dayOf, days } from '../time.ts'

/** One of today's counters. */
export interface DailyCounter {
  kind: keyof typeof DAILY_LIMITS
  keyHash: string
  day: number
}

/** Today's counter of `key`, which is an address, a network, a session or an account. */
export async function dailyCounter(
  ctx: Context,
  kind: DailyCounter['kind'],
  key: string,
): Promise<DailyCounter> {
  const day = dayOf(ctx.now)
  return { kind, keyHash: await keyedHash(ctx, `${kind}:${day}:${key}`), day }
}

/**
 * The statement that counts one more, for each row of `source`, and returns the count, which `requireWithinLimit` reads.
 * The statements after it ask `isWithinLimit`.
 */
export function countOne({ db }: Context, counter: DailyCounter, source = sql`WHERE true`) {
  const insert = insertFrom(dailyCounts, { ...counter, count: 1 }, source)
  return db.all<{ count: number }>(
    sql`${insert} ON CONFLICT DO UPDATE SET count = count + 1 RETURNING count`,
  )
}

/** The statement that takes one count back, because the password or code was right. */
export function countOneLess({ db }: Context, { keyHash }: DailyCounter) {
  return db
    .update(dailyCounts)
    .set({ count: sql`${dailyCounts.count} - 1` })
    .where(eq(dailyCounts.keyHash, keyHash))
}

/**
 * RATE_LIMITED with this message when the attempt that `countOne` counted was one too many, or was not counted. Attempts are
 * counted before they are checked, so that many at once cannot exceed the limit.
 */
export function requireWithinLimit(
  ctx: Context,
  { kind }: DailyCounter,
  [counted]: readonly { count: number }[],
  message?: string,
): void {
  if (counted === undefined || counted.count > DAILY_LIMITS[kind]) throw rejectToday(ctx, message)
}

/** In SQL, whether the call that was just counted is within the limit. */
export function isWithinLimit(counter: DailyCounter): SQL {
  return sql`${countOf(counter)} <= ${DAILY_LIMITS[counter.kind]}`
}

/** In SQL, whether one more call would be within the limit. */
export function isBelowLimit(counter: DailyCounter): SQL {
  return sql`coalesce(${countOf(counter)}, 0) < ${DAILY_LIMITS[counter.kind]}`
}

function countOf({ keyHash }: DailyCounter): SQL {
  return sql`(SELECT c.count FROM ${dailyCounts} c WHERE c.key_hash = ${keyHash})`
}

/** RATE_LIMITED until the day ends. */
export function rejectToday({ now }: Context, message: string = SERVER.dailyLimit): ApiError {
  const retryAfterSeconds = Math.ceil((days(dayOf(now) + 1) - now) / 1_000)
  return new ApiError('RATE_LIMITED', message, { retryAfterSeconds })
}
