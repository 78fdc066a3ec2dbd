import { and, eq, isNull, sql } from 'drizzle-orm'
import type { CallSuccess } from '../../../src/contract/endpoint.ts'
import { GOOGLE_PROBLEMS, type googleFinishEndpoint } from '../../../src/contract/google.ts'
import { TOAST } from '../../../src/contract/messages.ts'
import { sessions, signInPasses } from '../../db/schema/sessions.ts'
import { users } from '../../db/schema/users.ts'
import { accountQuery } from '../account/account-query.ts'
import type { Context } from '../context.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import { Refusal } from '../refusal.ts'
import { knownDevices, tellOwner } from './new-device.ts'
import { insertRedeemedSession, newSession } from './open-session.ts'
import { recordSignIn } from './record-sign-in.ts'
import { hashPass, isRedeemable } from './sign-in-pass.ts'
import { signedIn } from './signed-in.ts'

/** Both halves of a pass. `secret` is '' in a browser that did not come back from Google. */
interface Halves {
  code: string
  secret: string
}

/** Redeems a pass, once and within a minute, and opens a session. LINK_INVALID otherwise. */
export async function finishGoogleSignIn(
  ctx: Context,
  halves: Halves,
): Promise<CallSuccess<typeof googleFinishEndpoint>> {
  const hash = await hashPass(halves)
  const { owners } = await ctx.db.batch({ owners: findOwner(ctx, hash) })
  const [owner] = owners
  if (owner === undefined) throw expired()
  const session = newSession(ctx, { userId: owner.id, kind: 'browser', isRemembered: false })
  // Nobody needs a mail about the first session of a new account.
  const isNewDevice = owner.knownDevices === 0 && owner.sessions > 0
  const { redeemed, accounts } = await ctx.db.batch({
    redeemed: ctx.db
      .update(signInPasses)
      .set({ redeemedAt: ctx.now })
      .where(isRedeemable(ctx, hash))
      .returning({ userId: signInPasses.userId }),
    session: insertRedeemedSession(ctx, session),
    event: recordSignIn(ctx, session, isNewDevice ? 'signed_in_new_device' : 'signed_in'),
    accounts: accountQuery(ctx, { userId: owner.id, sessionId: session.id }),
    mail: isNewDevice && owner.mailSecurity ? tellOwner(ctx, owner, session) : null,
  })
  if (redeemed.length === 0) throw expired()
  if (isNewDevice) ctx.waitUntil(() => deliverDueMail(ctx))
  return { ...(await signedIn(ctx, accounts)), message: TOAST.loggedIn }
}

function findOwner(ctx: Context, hash: string) {
  return ctx.db
    .select({
      id: users.id,
      email: users.email,
      mailSecurity: users.mailSecurity,
      knownDevices: knownDevices(ctx.visitor.device),
      sessions: sql<number>`(SELECT count(*) FROM ${sessions} s WHERE s.user_id = users.id)`,
    })
    .from(signInPasses)
    .innerJoin(users, eq(users.id, signInPasses.userId))
    .where(and(isRedeemable(ctx, hash), isNull(users.deletedAt)))
}

function expired(): Refusal {
  return new Refusal('LINK_INVALID', GOOGLE_PROBLEMS.google_expired)
}
