import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import type { CallSuccess } from '../../../src/contract/endpoint.ts'
import { GOOGLE_PROBLEMS, type googleFinishEndpoint } from '../../../src/contract/google.ts'
import { TOAST } from '../../../src/contract/messages.ts'
import { deviceRequests, sessions } from '../../db/schema/sessions.ts'
import { users } from '../../db/schema/users.ts'
import { accountQuery } from '../account/account-query.ts'
import type { Context } from '../context.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import { Refusal } from '../refusal.ts'
import { knownDevices, tellOwner } from './new-device.ts'
import { newSession } from './open-session.ts'
import { recordSignIn } from './record-sign-in.ts'
import { redeemStatements } from './redeem-request.ts'
import { passKey } from './sign-in-pass.ts'
import { signedIn } from './signed-in.ts'

/** Both halves of a pass: `secret` is '' in a browser that did not come back from Google. */
interface Halves {
  code: string
  secret: string
}

/** Redeems a pass, once and within its minute: opens a session as signing in does. Else LINK_INVALID. */
export async function finishGoogleSignIn(
  ctx: Context,
  halves: Halves,
): Promise<CallSuccess<typeof googleFinishEndpoint>> {
  const key = await passKey(halves)
  const { owners } = await ctx.db.batch({ owners: findOwner(ctx, key) })
  const [owner] = owners
  if (owner === undefined) throw expired()
  const session = newSession(ctx, { userId: owner.id, kind: 'browser', isRemembered: false })
  // The first session of a new account is news to nobody.
  const isNewDevice = owner.knownDevices === 0 && owner.sessions > 0
  const { redeemed, accounts } = await ctx.db.batch({
    ...redeemStatements(ctx, key, session),
    event: recordSignIn(ctx, session, isNewDevice ? 'signed_in_new_device' : 'signed_in'),
    accounts: accountQuery(ctx, { userId: owner.id, sessionId: session.id }),
    mail: isNewDevice && owner.mailSecurity ? tellOwner(ctx, owner, session) : null,
  })
  if (redeemed.length === 0) throw expired()
  if (isNewDevice) ctx.waitUntil(() => deliverDueMail(ctx))
  return { ...(await signedIn(ctx, accounts)), message: TOAST.loggedIn }
}

function findOwner(ctx: Context, key: string) {
  return ctx.db
    .select({
      id: users.id,
      email: users.email,
      mailSecurity: users.mailSecurity,
      knownDevices: knownDevices(ctx.visitor.device),
      sessions: sql<number>`(SELECT count(*) FROM ${sessions} s WHERE s.user_id = users.id)`,
    })
    .from(deviceRequests)
    .innerJoin(users, eq(users.id, deviceRequests.userId))
    .where(
      and(
        eq(deviceRequests.deviceCodeHash, key),
        isNull(deviceRequests.redeemedAt),
        gt(deviceRequests.expiresAt, ctx.now),
        isNull(users.deletedAt),
      ),
    )
}

function expired(): Refusal {
  return new Refusal('LINK_INVALID', GOOGLE_PROBLEMS.google_expired)
}
