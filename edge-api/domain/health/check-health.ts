import { sql } from 'drizzle-orm'
import type { healthEndpoint, liveEndpoint } from '../../../src/contract/health.ts'
import type { Context } from '../context.ts'
import { databaseFault } from '../database-fault.ts'
import { hours, minutes } from '../time.ts'
import { Refusal } from '../refusal.ts'
import type { PublicVerb } from '../verb.ts'

/** Answers without asking any dependency. */
export const live: PublicVerb<typeof liveEndpoint> = () => Promise.resolve({ success: true })

type Health = Awaited<ReturnType<PublicVerb<typeof healthEndpoint>>>
type Part = Health['parts'][string]

const OLD_MAIL_MS = minutes(15)
const SILENT_WEBHOOK_MS = hours(24)

/**
 * The status of every part; a part that lags is 'degraded'. NOT_READY names the parts that are down.
 */
export const health: PublicVerb<typeof healthEndpoint> = async (ctx) => {
  const parts = { ...(await storedParts(ctx)), payments: paymentsPart(ctx) }
  const down = Object.entries(parts).filter(([, part]) => part.status === 'down')
  if (down.length > 0) {
    const names = down.map(([name]) => name).join(', ')
    throw new Refusal('NOT_READY', `Down: ${names}`, {
      retryAfterSeconds: 30,
      extra: { live: true, ready: false, parts },
    })
  }
  return { success: true, live: true, ready: true, parts }
}

async function storedParts(ctx: Context): Promise<Record<string, Part>> {
  try {
    const { rows } = await ctx.db.batch({ rows: ages(ctx) })
    const [age] = rows
    return {
      database: { status: 'ok', detail: 'answers' },
      mail: mailPart(ctx.now, age?.oldestMail ?? null),
      webhooks: webhookPart(ctx.now, age?.lastWebhook ?? null, age?.paidSince ?? 0),
    }
  } catch (error) {
    if (databaseFault(error) === null) throw error
    return { database: { status: 'down', detail: 'does not answer' } }
  }
}

function ages({ db, now }: Context) {
  return db
    .select({
      oldestMail: sql<number | null>`(SELECT min(created_at) FROM mails WHERE due_at IS NOT NULL)`,
      lastWebhook: sql<number | null>`(SELECT max(received_at) FROM webhook_events)`,
      paidSince: sql<number>`(SELECT count(*) FROM grants WHERE granted_at > ${now - SILENT_WEBHOOK_MS})`,
    })
    .from(sql`(SELECT 1)`)
}

function mailPart(now: number, oldest: number | null): Part {
  if (oldest === null) return { status: 'ok', detail: 'nothing waits' }
  const waited = Math.round((now - oldest) / 1_000)
  return {
    status: now - oldest > OLD_MAIL_MS ? 'degraded' : 'ok',
    detail: `oldest waits ${waited} s`,
  }
}

/** When purchases settle but no webhook has come for a day, Razorpay may have disabled the webhook. */
function webhookPart(now: number, last: number | null, paidSince: number): Part {
  const isSilent = last === null || now - last > SILENT_WEBHOOK_MS
  if (isSilent && paidSince >= 3) return { status: 'degraded', detail: 'none came for 24 hours' }
  if (last === null) return { status: 'ok', detail: 'none yet' }
  return { status: 'ok', detail: `last ${Math.round((now - last) / 1_000)} s ago` }
}

/** Without keys or a webhook secret nothing can be bought, and no webhook can be verified. */
function paymentsPart({ payments }: Context): Part {
  return payments.keyId === ''
    ? { status: 'down', detail: 'not configured' }
    : { status: 'ok', detail: 'configured' }
}
