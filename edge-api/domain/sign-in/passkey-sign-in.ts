import { and, eq, isNull } from 'drizzle-orm'
import type { passkeySignInEndpoint } from '../../../src/contract/factor.ts'
import { previousChangedOne } from '../../db/insert-from.ts'
import { passkeys } from '../../db/schema/factors.ts'
import { users } from '../../db/schema/users.ts'
import { insertSession, newSession, requireUsable } from '../session/session.ts'
import { answerSignIn, isNewDevice, signInColumns, signInStatements } from './every-sign-in.ts'
import type { Context } from '../context.ts'
import { checkPasskey, rejectPasskey } from '../factors/passkey.ts'
import { lacksCodes, newCodesOf, replaceCodes } from '../factors/recovery-codes.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import type { PublicHandler } from '../handler.ts'

/**
 * Signs in with a passkey alone: the authenticator has verified its user, so it counts as both steps. FACTOR_REFUSED
 * unless the answer is genuine and new, and for a suspended or locked account.
 */
export const passkeySignIn: PublicHandler<typeof passkeySignInEndpoint> = async (ctx, { body }) => {
  const { found } = await ctx.db.batch({ found: findOwner(ctx, body.credential.id) })
  const [owner] = found
  if (owner === undefined) throw rejectPasskey()
  const accepted = await checkPasskey(ctx, body, owner.passkey)
  requireUsable(owner, 'FACTOR_REFUSED')
  const isRemembered = body.rememberMe
  const session = newSession(ctx, { userId: owner.id, kind: 'browser', isRemembered })
  const signIn = { user: owner, isNewDevice: await isNewDevice(ctx, owner) }
  const newCodes = owner.lacksCodes === 1 ? await replaceCodes(ctx, owner, session.id) : null
  const { accounts, codes } = await ctx.db.batch({
    accepted,
    session: insertSession(ctx, session, previousChangedOne),
    ...(await signInStatements(ctx, session, signIn)),
    codes: newCodes?.statements ?? null,
  })
  if (accounts.length === 0) throw rejectPasskey()
  ctx.waitUntil(() => deliverDueMail(ctx))
  return { ...(await answerSignIn(ctx, accounts)), ...newCodesOf(newCodes, codes) }
}

function findOwner(ctx: Context, credentialId: string) {
  return ctx.db
    .select({
      ...signInColumns(ctx),
      passkey: passkeys,
      lacksCodes: lacksCodes(),
    })
    .from(passkeys)
    .innerJoin(users, eq(users.id, passkeys.userId))
    .where(and(eq(passkeys.credentialId, credentialId), isNull(users.deletedAt)))
}
