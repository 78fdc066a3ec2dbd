import { sql } from 'drizzle-orm'
import type { healthEndpoint, liveEndpoint } from '../../../src/contract/health.ts'
import { dailyCounts } from '../../db/schema/records.ts'
import type { Context } from '../context.ts'
import type { ProviderAnswer } from '../ports/payments.ts'
import { databaseFault } from '../database-fault.ts'
import { dayOf, hours, minutes, seconds } from '../time.ts'
import { ApiError } from '../api-error.ts'
import type { PublicHandler } from '../handler.ts'

/** Answers without asking any dependency. */
export const live: PublicHandler<typeof liveEndpoint> = () => Promise.resolve({ success: true })

type Health = Awaited<ReturnType<PublicHandler<typeof healthEndpoint>>>
type Parts = Health['parts']
type Part = Parts[string]

const OLD_MAIL_MS = minutes(15)
const SILENT_WEBHOOK_MS = hours(24)
/** A few webhooks may be lost; this many settled purchases without any mean that none arrives. */
const MANY_PAID = 3

/** How long this isolate reuses an answer of the database. */
const FRESH_MS = seconds(10)

/**
 * Makes the handler that answers the status of every part; a part that lags is 'degraded'. NOT_READY names the parts that
 * are down. The handler remembers the database's answer for ten seconds.
 */
export function healthCheck(): PublicHandler<typeof healthEndpoint> {
  let known: { parts: Parts; readAt: number } | null = null
  return async (ctx) => {
    if (known !== null && ctx.now - known.readAt < FRESH_MS) return answer(ctx, known.parts)
    const parts = await storedParts(ctx)
    known = parts['database']?.status === 'ok' ? { parts, readAt: ctx.now } : null
    return answer(ctx, parts)
  }
}

function answer(ctx: Context, stored: Parts): Health {
  const parts = { ...stored, payments: paymentsPart(ctx) }
  const down = Object.entries(parts).filter(([, part]) => part.status === 'down')
  if (down.length > 0) {
    const names = down.map(([name]) => name).join(', ')
    throw new ApiError('NOT_READY', `Down: ${names}`, {
      retryAfterSeconds: 30,
      extra: { live: true, ready: false, parts },
    })
  }
  return { success: true, live: true, ready: true, parts }
}

async function storedParts(ctx: Context): Promise<Parts> {
  try {
    const { rows } = await ctx.db.batch({ probe: writeOnce(ctx), rows: ages(ctx) })
    const [age] = rows
    return {
      database: { status: 'ok', detail: 'answers and stores' },
      mail: mailPart(ctx, age?.oldestMail ?? null, age?.oldestSinceSent ?? null),
      webhooks: webhookPart(ctx.now, age?.lastWebhook ?? null, age?.paidSince ?? 0),
    }
  } catch (error) {
    const fault = databaseFault(error)
    if (fault === null) throw error
    return fault === 'busy'
      ? { database: { status: 'degraded', detail: 'has too much to do' } }
      : { database: { status: 'down', detail: 'does not answer, or cannot store' } }
  }
}

/** A write of one row, always the same: reads go on when the disk is full. */
function writeOnce({ db, now }: Context) {
  const probe = { kind: 'readiness', day: dayOf(now), count: 1 }
  return db
    .insert(dailyCounts)
    .values({ keyHash: 'readiness', ...probe })
    .onConflictDoUpdate({ target: dailyCounts.keyHash, set: probe })
}

function ages({ db, now }: Context) {
  return db
    .select({
      oldestMail: sql<number | null>`(SELECT min(created_at) FROM mails WHERE due_at IS NOT NULL)`,
      oldestSinceSent: sql<number | null>`(
        SELECT min(created_at) FROM mails
        WHERE due_at IS NOT NULL AND created_at > coalesce((SELECT max(sent_at) FROM mails), 0))`,
      lastWebhook: sql<number | null>`(SELECT max(received_at) FROM webhook_events)`,
      paidSince: sql<number>`(
        SELECT count(*) FROM (SELECT 1 FROM grants WHERE granted_at > ${now - SILENT_WEBHOOK_MS} LIMIT ${MANY_PAID}))`,
    })
    .from(sql`(SELECT 1)`)
}

/**
 * Mail is down when one has waited for 15 minutes and none was sent since it was written, and late when only older ones
 * wait. A developer's machine that was off for a while is not down.
 */
function mailPart(
  { now, isLocal }: Context,
  oldest: number | null,
  oldestSinceSent: number | null,
): Part {
  if (oldest === null) return { status: 'ok', detail: 'nothing waits' }
  const detail = `oldest waits ${Math.round((now - oldest) / 1_000)} s`
  if (now - oldest <= OLD_MAIL_MS) return { status: 'ok', detail }
  const isDown = !isLocal && oldestSinceSent !== null && now - oldestSinceSent > OLD_MAIL_MS
  return { status: isDown ? 'down' : 'degraded', detail }
}

/** When purchases settle but no webhook has come for a day, Razorpay may have disabled the webhook. */
function webhookPart(now: number, last: number | null, paidSince: number): Part {
  const isSilent = last === null || now - last > SILENT_WEBHOOK_MS
  if (isSilent && paidSince >= MANY_PAID)
    return { status: 'degraded', detail: 'none came for 24 hours' }
  if (last === null) return { status: 'ok', detail: 'none yet' }
  return { status: 'ok', detail: `last ${Math.round((now - last) / 1_000)} s ago` }
}

const ANSWERS = {
  answered: { status: 'ok', what: 'answered' },
  unauthorized: { status: 'down', what: 'did not accept our keys' },
  unavailable: { status: 'degraded', what: 'did not answer' },
} as const satisfies Record<ProviderAnswer['outcome'], { status: Part['status']; what: string }>

/**
 * Without keys or a webhook secret nothing can be bought, and no webhook can be verified; nor with keys that Razorpay does
 * not accept. Razorpay is not asked: its last answer to this isolate counts.
 */
function paymentsPart({ payments, now }: Context): Part {
  if (payments.keyId === '') return { status: 'down', detail: 'not configured' }
  const last = payments.lastAnswer()
  if (last === null) return { status: 'ok', detail: 'configured, not asked yet' }
  const { status, what } = ANSWERS[last.outcome]
  return { status, detail: `${what} ${Math.max(0, Math.round((now - last.at) / 1_000))} s ago` }
}
