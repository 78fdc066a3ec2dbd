import { eq } from 'drizzle-orm'
import { DESK_ACT } from '../../../../src/contract/desk-acts.ts'
import { passkeys, recoveryCodes, totps } from '../../../db/schema/factors.ts'
import { isOperatorKey } from '../../account/require-operator.ts'
import type { Context } from '../../context.ts'
import { inMinutes } from '../../time.ts'
import { type PlannedAct, refuse, requireTarget, targetQuery } from '../planned-act.ts'

/**
 * Admits an operator's account, with its present second steps and recovery codes, to the desk. The desk has no call for
 * it: a thief of an operator's password could then admit a second step of their own.
 */
export async function planAdmitOperator(ctx: Context, userId: string): Promise<PlannedAct> {
  const { db } = ctx
  const { targets, apps, keys, codes } = await db.batch({
    targets: targetQuery(ctx, userId),
    apps: db.select().from(totps).where(eq(totps.userId, userId)),
    keys: db.select().from(passkeys).where(eq(passkeys.userId, userId)),
    codes: db.select().from(recoveryCodes).where(eq(recoveryCodes.userId, userId)).limit(1),
  })
  const { email, emailKey } = requireTarget(targets)
  if (!isOperatorKey(ctx, emailKey)) throw refuse(DESK_ACT.notNamed)
  const factors = [
    ...apps.map(({ createdAt }) => `an authenticator app of ${inMinutes(createdAt)}`),
    ...keys.map(({ name, createdAt }) => `the passkey "${name}" of ${inMinutes(createdAt)}`),
  ]
  if (factors.length === 0) throw refuse(DESK_ACT.noFactor)
  factors.push(...codes.map(({ createdAt }) => `the recovery codes of ${inMinutes(createdAt)}`))
  return {
    changes: [
      `${email} opens the desk with ${factors.join(' and ')}.`,
      'Ask the operator first: whoever added these can open the desk.',
    ],
    carryOut: (entry) => db.batch({ entry: entry.write() }),
  }
}
