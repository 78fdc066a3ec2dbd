import { sql } from 'drizzle-orm'
import { grants, webhookEvents } from '../../db/schema/purchases.ts'
import type { Context } from '../context.ts'
import { days, hours } from '../time.ts'
import { z } from '../../../src/contract/zod.ts'

const SILENCE_MS = days(2)
/** A webhook about what was paid just now may still be on its way. */
const DELAY_MS = hours(1)

const Silence = z.object({ paid: z.int(), heard: z.int() })

/**
 * Alerts when something was paid in the last two days and no webhook came meanwhile: Razorpay may have disabled ours. The
 * span is days, because a small shop sells little in an hour.
 */
export async function alertOfSilence({ db, now, paymentMode, log }: Context): Promise<void> {
  const since = now - SILENCE_MS
  const [rows] = await db.batch([
    db.all(sql`
      SELECT
        (
          SELECT count(*) FROM ${grants} WHERE granted_at BETWEEN ${since} AND ${now - DELAY_MS}
            AND payment_mode = ${paymentMode}
        ) AS paid,
        EXISTS (SELECT 1 FROM ${webhookEvents} WHERE received_at > ${since}) AS heard`),
  ])
  const [silence] = z.tuple([Silence]).parse(rows)
  if (silence.paid > 0 && silence.heard === 0) {
    log.alert('no webhook arrives', { paid: silence.paid, days: SILENCE_MS / days(1) })
  }
}
