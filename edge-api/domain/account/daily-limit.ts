import { eq, type SQL, sql } from 'drizzle-orm'
import { DAILY_LIMITS } from '../../../src/contract/limits.ts'
import { SERVER } from '../../../src/contract/messages.ts'
import { insertFrom } from '../../db/insert-from.ts'
import { dailyCounts } from '../../db/schema/records.ts'
import type { Context } from '../context.ts'
import { keyedHash } from '../crypto/sign.ts'
import { ApiError } from '../api-error.ts'
import { days } from '../time.ts'
import { emailKeyOf, canonicalAddress } from './address.ts'

/** One of today's counters. */
export interface DailyCounter {
  kind: keyof typeof DAILY_LIMITS
  keyHash: string
  day: number
}

/** Days since 1970 UTC. */
export function dayOf(now: number): number {
  return Math.floor(now / days(1))
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

/** Today's counters of mails to an unverified address. */
export interface MailCounts {
  own: DailyCounter | null
  ofMailbox: DailyCounter
}

/**
 * All unverified addresses of a mailbox share 40 mails a day: `ada+1@` and `ada+2@`. `ada@` has ten of its own first, so that
 * nobody uses them up by registering `ada+1@` to `ada+99@`. `a.da@`, which Gmail delivers to `ada@`, and other addresses with
 * dots share ten of their own.
 */
export async function unverifiedMails(ctx: Context, address: string): Promise<MailCounts> {
  const key = emailKeyOf(address)
  const mailbox = canonicalAddress(key)
  const isPlain = key === mailbox
  return {
    own: key.includes('+')
      ? null
      : await dailyCounter(ctx, 'ownMail', `${isPlain ? 'plain' : 'dotted'}:${mailbox}`),
    ofMailbox: await dailyCounter(ctx, 'mail', `mailbox:${mailbox}`),
  }
}

/** The statements that count a mail for each row of `source`: as the address's own while it has some left. */
export function countMail(ctx: Context, { own, ofMailbox }: MailCounts, source = sql`WHERE true`) {
  if (own === null) return [countOne(ctx, ofMailbox, source)]
  return [
    countOne(ctx, own, source),
    countOne(ctx, ofMailbox, sql`${source} AND NOT ${isWithinLimit(own)}`),
  ]
}

/** In SQL, whether the mail that was just counted may be sent. */
export function mayMail({ own, ofMailbox }: MailCounts): SQL {
  const isWithin = isWithinLimit(ofMailbox)
  return own === null ? isWithin : sql`(${isWithinLimit(own)} OR ${isWithin})`
}

/** In SQL, whether one more mail may be sent. */
export function hasMailLeft({ own, ofMailbox }: MailCounts): SQL {
  const isBelow = isBelowLimit(ofMailbox)
  return own === null ? isBelow : sql`(${isBelowLimit(own)} OR ${isBelow})`
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
