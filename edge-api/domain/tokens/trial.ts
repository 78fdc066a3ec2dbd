import { eq, sql } from 'drizzle-orm'
import { TRIAL_TOKENS } from '../../../src/contract/answers.ts'
import { DAILY_LIMITS } from '../../../src/contract/limits.ts'
import { insertFrom, previousChangedOne } from '../../db/insert-from.ts'
import { ledger, trials } from '../../db/schema/tokens.ts'
import { recordEventIf } from '../account/record-event.ts'
import { canonicalAddress } from '../account/address.ts'
import { countOne, dailyCounter, isBelowLimit } from '../account/daily-limit.ts'
import type { Context } from '../context.ts'
import { keyedHash } from '../crypto/sign.ts'
import { isTurnedOff } from '../flags/flags.ts'

/** Whose trial it is: a mailbox and, where it is known, a Google account. */
interface Person {
  userId: string
  email: string
  googleSubject: string | null
}

type Trial = Awaited<ReturnType<typeof trialFor>>

const refOf = (userId: string) => `trial:${userId}`

/** A row when the account was granted its trial. */
export function trialQuery({ db }: Context, userId: string) {
  return db
    .select({ ref: ledger.ref })
    .from(ledger)
    .where(eq(ledger.ref, refOf(userId)))
}

/** What `trialStatements` need to know. */
export async function trialFor(ctx: Context, person: Person) {
  const { userId, email, googleSubject } = person
  const texts = [
    `trial:mailbox:${canonicalAddress(email)}`,
    ...(googleSubject === null ? [] : [`trial:google:${googleSubject}`]),
  ]
  const hashes = texts.map((text) => keyedHash({ keys: [ctx.trialKey] }, text))
  return {
    userId,
    /** Kept even when the account is deleted. */
    hashes: await Promise.all(hashes),
    today: [
      await dailyCounter(ctx, 'trial', 'everybody'),
      await dailyCounter(ctx, 'networkTrial', ctx.visitor.ipPrefix),
    ] as const,
  }
}

/**
 * The statements that grant the trial tokens to an account whose address is verified: once for each mailbox and each
 * Google account, up to a number per day and per network, unless operators switched the trial off. Put them in the batch that
 * verifies the address, after that statement. Repeating them changes nothing. `reportTrials` reads the rows of `trialCount`.
 */
export function trialStatements(ctx: Context, { userId, hashes, today }: Trial) {
  const { db, now, paymentMode } = ctx
  const ref = refOf(userId)
  const given = sql`json_each(${JSON.stringify(hashes)})`
  const entry = {
    ref,
    userId,
    kind: 'trial' as const,
    tokens: TRIAL_TOKENS,
    paymentMode,
    createdAt: now,
  }
  const grant = insertFrom(
    ledger,
    entry,
    sql`FROM users u
      WHERE u.id = ${userId} AND u.email_verified_at IS NOT NULL AND u.deleted_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM ${trials} t WHERE t.key_hash IN (SELECT value FROM ${given}))
        AND NOT ${isTurnedOff('trial')} AND ${isBelowLimit(today[0])} AND ${isBelowLimit(today[1])}`,
  )
  const { event, isRecorded } = recordEventIf(
    ctx,
    { userId, kind: 'trial_granted', detail: { tokens: TRIAL_TOKENS } },
    sql`WHERE ${previousChangedOne}`,
  )
  return {
    trial: db.run(sql`${grant} ON CONFLICT (ref) DO NOTHING`),
    trialEvent: event,
    trialCount: countOne(ctx, today[0], sql`WHERE ${isRecorded}`),
    networkTrialCount: countOne(ctx, today[1], sql`WHERE ${isRecorded}`),
    // Also for an earlier trial, so that a Google account that is connected later counts too.
    trialHashes: db.run(sql`
      ${insertFrom(
        trials,
        { keyHash: sql`f.value`, grantedAt: now },
        sql`FROM ${given} f WHERE EXISTS (SELECT 1 FROM ${ledger} l WHERE l.ref = ${ref})`,
      )} ON CONFLICT DO NOTHING`),
  }
}

/** The operator is alerted each time this many trials of a day have been given: in time to stop a script. */
const ALERT_EACH = DAILY_LIMITS.trial / 5

/** Alerts the operator while the trials of the day are being used up, and a last time when none is left. */
export function reportTrials({ log }: Context, counted: readonly { count: number }[]): void {
  for (const { count } of counted) {
    if (count % ALERT_EACH !== 0) continue
    log.alert('the trials of today are being used up', { trials: count, of: DAILY_LIMITS.trial })
  }
}
