import { eq } from 'drizzle-orm'
import { deskActs } from '../../edge-api/db/schema/desk.ts'
import { totps } from '../../edge-api/db/schema/factors.ts'
import { users } from '../../edge-api/db/schema/users.ts'
import { ADMITTED, type Operator } from '../../edge-api/domain/account/require-operator.ts'
import type { Context } from '../../edge-api/domain/context.ts'
import * as desk from '../../src/contract/desk.ts'
import * as acts from '../../src/contract/desk-acts.ts'
import * as inbox from '../../src/contract/desk-inbox.ts'
import { isEndpoint } from '../../src/contract/endpoints.ts'
import { createMember, type Member, signInAgain } from './member.ts'
import { OPERATORS } from './services.ts'
import { userRow } from './world/account.ts'
import { createWorld, NO_INPUT } from './world/world.ts'

/** Every call of the desk. */
export const DESK_ENDPOINTS = [desk, acts, inbox].flatMap((file) =>
  Object.values<unknown>(file).filter(isEndpoint),
)

/** The secret of the operator's authenticator app. */
export const OPERATOR_SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'

const [WITH_FACTOR, WITHOUT_FACTOR] = OPERATORS

/**
 * The operator named in the configuration, with an authenticator app that is admitted to the desk. Each database has one
 * such account.
 */
export async function createOperatorAccount(ctx: Context): Promise<Operator> {
  const operator = await accountOf(ctx, WITH_FACTOR)
  const factor = { userId: operator.id, secret: OPERATOR_SECRET, lastStep: 0, createdAt: ctx.now }
  const entry = {
    id: `act_of_${operator.id}`,
    operatorId: 'ops:tests',
    kind: ADMITTED,
    userId: operator.id,
    reason: 'Tests',
    changes: '[]',
    createdAt: ctx.now,
  }
  await ctx.db.batch([
    ctx.db.insert(totps).values(factor).onConflictDoNothing(),
    ctx.db.insert(deskActs).values(entry).onConflictDoNothing(),
  ])
  return operator
}

/** A call of an operator at the desk without input. */
export function atDesk(operator: Operator) {
  return { ...NO_INPUT, operator }
}

/** The same operator, who calls the site from a device of their own. */
export async function createOperator(): Promise<Member> {
  const member = await createMember()
  const { id: userId } = await createOperatorAccount(createWorld().ctx())
  return signInAgain({ ...member, userId, email: WITH_FACTOR })
}

/** A named operator whose account has no second step. */
export async function createOperatorWithoutFactor(): Promise<Member> {
  const member = await createMember()
  const { id: userId } = await accountOf(createWorld().ctx(), WITHOUT_FACTOR)
  return signInAgain({ ...member, userId, email: WITHOUT_FACTOR })
}

async function accountOf(ctx: Context, email: string): Promise<Operator> {
  const { db } = ctx
  const user = { ...userRow(ctx, { isVerified: true }), email, emailKey: email }
  const { known } = await db.batch({
    user: db.insert(users).values(user).onConflictDoNothing(),
    known: db
      .select({ id: users.id, username: users.username })
      .from(users)
      .where(eq(users.emailKey, email)),
  })
  return known[0] ?? user
}
