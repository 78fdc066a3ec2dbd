import { eq } from 'drizzle-orm'
import { totps } from '../../edge-api/db/schema/factors.ts'
import { sessions } from '../../edge-api/db/schema/sessions.ts'
import { users } from '../../edge-api/db/schema/users.ts'
import type { Claims } from '../../edge-api/domain/account/bearer.ts'
import type { Context } from '../../edge-api/domain/context.ts'
import { createMember, type Member, signInAgain } from './member.ts'
import { OPERATORS } from './services.ts'
import { sessionRow, userRow } from './world/account.ts'
import { createWorld } from './world/world.ts'

/** The secret of the operator's authenticator app. */
export const OPERATOR_SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'

const [WITH_FACTOR, WITHOUT_FACTOR] = OPERATORS

/**
 * The operator whom the configuration names, with a session that has just confirmed and an authenticator app. There is
 * one account in each database.
 */
export async function createOperatorAccount(ctx: Context): Promise<Claims> {
  const userId = await accountOf(ctx, WITH_FACTOR)
  const session = sessionRow(ctx, userId)
  const factor = { userId, secret: OPERATOR_SECRET, lastStep: 0, createdAt: ctx.now }
  await ctx.db.batch([
    ctx.db.insert(totps).values(factor).onConflictDoNothing(),
    ctx.db.insert(sessions).values(session),
  ])
  return { userId, sessionId: session.id }
}

/** The same operator, who calls the site from a device of their own. */
export async function createOperator(): Promise<Member> {
  const member = await createMember()
  const { userId } = await createOperatorAccount(createWorld().ctx())
  return signInAgain({ ...member, userId, email: WITH_FACTOR })
}

/** A named operator whose account has no second step. */
export async function createOperatorWithoutFactor(): Promise<Member> {
  const member = await createMember()
  const userId = await accountOf(createWorld().ctx(), WITHOUT_FACTOR)
  return signInAgain({ ...member, userId, email: WITHOUT_FACTOR })
}

async function accountOf(ctx: Context, email: string): Promise<string> {
  const { db } = ctx
  const user = { ...userRow(ctx, { isVerified: true }), email, emailKey: email }
  const { known } = await db.batch({
    user: db.insert(users).values(user).onConflictDoNothing(),
    known: db.select({ id: users.id }).from(users).where(eq(users.emailKey, email)),
  })
  return known[0]?.id ?? user.id
}
