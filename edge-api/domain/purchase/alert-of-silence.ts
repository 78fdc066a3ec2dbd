import { sql } from 'drizzle-orm'
import { grants, webhookEvents } from '../../db/schema/purchases.ts'
import type { Context } from '../context.ts'
import { days, hours } from '../time.ts'

const SILENCE_MS = days(2)
/** A webhook about what was paid just now may still be on its way. */
const DELAY_MS = hours(1)

/**
 * Alerts when something was paid in the last two days and no webhook came meanwhile: Razorpay may have disabled ours. The
 * span is days, because a small shop sells little in an hour.
 */
export async function alertOfSilence({ db, now, paymentMode, log }: Context): Promise<void> {
  const since = now - SILENCE_MS
  const [rows] = await db.batch([
    db.all<{ paid: number }>(sql`
      SELECT count(*) AS paid FROM ${grants}
      WHERE granted_at BETWEEN ${since} AND ${now - DELAY_MS} AND payment_mode = ${paymentMode}
        AND NOT EXISTS (SELECT 1 FROM ${webhookEvents} WHERE received_at > ${since})`),
  ])
  const paid = rows[0]?.paid ?? 0
  if (paid > 0) log.alert('no webhook arrives', { paid, days: SILENCE_MS / days(1) })
}
