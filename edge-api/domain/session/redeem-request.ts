import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { deviceRequests, sessions } from '../../db/schema/sessions.ts'
import type { Context } from '../context.ts'
import type { NewSession } from './open-session.ts'

/**
 * Uses an approved request up and opens its one session: of two that redeem it at once, the second is
 * returned no row and opens nothing. The two go first into a batch, in this order.
 */
export function redeemStatements({ db, now }: Context, codeHash: string, session: NewSession) {
  return {
    redeemed: db
      .update(deviceRequests)
      .set({ redeemedAt: now })
      .where(
        and(
          eq(deviceRequests.deviceCodeHash, codeHash),
          eq(deviceRequests.decision, 'approved'),
          isNull(deviceRequests.redeemedAt),
          gt(deviceRequests.expiresAt, now),
        ),
      )
      .returning({ userId: deviceRequests.userId }),
    session: db.run(sql`
      INSERT INTO ${sessions} (id, user_id, kind, device, ip_prefix, is_remembered, created_at, last_used_at, expires_at)
      SELECT ${session.id}, u.id, ${session.kind}, ${session.device}, ${session.ipPrefix},
             ${session.isRemembered ? 1 : 0}, ${session.createdAt}, ${session.lastUsedAt}, ${session.expiresAt}
      FROM users u WHERE u.id = ${session.userId} AND u.deleted_at IS NULL AND changes() = 1`),
  }
}
