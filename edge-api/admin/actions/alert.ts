import { and, eq, isNull, sql } from 'drizzle-orm'
import { Id } from '../../../src/contract/text.ts'
import { z } from '../../../src/contract/zod.ts'
import { alerts } from '../../db/schema/admin.ts'
import { requireRow } from '../../domain/api-error.ts'
import { defineAction, inOneBatch, NO_NOTIFICATION } from './action.ts'

/** Takes an alert off the list. The next of its kind raises another. */
export const acknowledgeAlert = defineAction({
  kind: 'acknowledge_alert',
  label: 'Acknowledge',
  input: z.object({ alert: Id }),
  plan: async (ctx, { alert: alertId }) => {
    const isOpen = and(eq(alerts.id, alertId), isNull(alerts.acknowledgedAt))
    const { found } = await ctx.db.batch({ found: ctx.db.select().from(alerts).where(isOpen) })
    const alert = requireRow(
      found,
      'NOT_FOUND',
      'This alert is no longer open. Someone has acknowledged it.',
    )
    return {
      changes: [
        // Without its count, which may grow while the admin reads.
        `The alert "${alert.kind}" leaves the list.`,
        'The next alert of its kind raises it again.',
      ],
      notification: NO_NOTIFICATION,
      subject: alertId,
      home: '/admin',
      execute: inOneBatch(
        ctx,
        sql`EXISTS (SELECT 1 FROM ${alerts} WHERE ${isOpen})`,
        (isWritten) => ({
          acknowledged: ctx.db
            .update(alerts)
            .set({ acknowledgedAt: ctx.now, acknowledgedBy: ctx.admin })
            .where(and(isOpen, isWritten)),
        }),
      ),
    }
  },
})
