import { type SQL, sql } from 'drizzle-orm'
import type { Context } from '../context.ts'
import { canonicalAddress, emailKeyOf } from './address.ts'
import {
  countOne,
  type DailyCounter,
  dailyCounter,
  isBelowLimit,
  isWithinLimit,
} from './daily-limit.ts'

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
