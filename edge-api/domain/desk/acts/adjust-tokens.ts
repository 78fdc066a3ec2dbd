import { and, eq, sql } from 'drizzle-orm'
import type { Act } from '../../../../src/contract/desk-acts.ts'
import { insertFrom } from '../../../db/insert-from.ts'
import { balances, ledger } from '../../../db/schema/tokens.ts'
import type { Context } from '../../context.ts'
import { Refusal } from '../../refusal.ts'
import {
  asSupport,
  inOneBatch,
  notify,
  requireTarget,
  targetQuery,
  type PlannedAct,
} from '../planned-act.ts'
import { inFigures } from '../../format-money.ts'

type About = Extract<Act, { kind: 'adjust_tokens' }>

/**
 * Gives or takes tokens by hand. NOTHING_TO_CHANGE when fewer are left than are to be taken. Given tokens have no
 * refund value. Tokens are taken from given ones first; beyond those they count as used (schema/tokens.ts, `lots`).
 */
export async function planAdjustTokens(
  operatorCtx: Context,
  { userId, tokens }: About,
): Promise<PlannedAct> {
  const ctx = asSupport(operatorCtx)
  const { db, now, paymentMode } = ctx
  const { targets, found } = await db.batch({
    targets: targetQuery(ctx, userId),
    found: db
      .select({ left: sql<number>`${balances.total} - ${balances.used}` })
      .from(balances)
      .where(and(eq(balances.userId, userId), eq(balances.paymentMode, paymentMode))),
  })
  requireTarget(targets)
  const left = found[0]?.left ?? 0
  if (left + tokens < 0) {
    throw new Refusal(
      'NOTHING_TO_CHANGE',
      `The account has ${inFigures(left)} tokens left. Take fewer.`,
    )
  }
  // A second click, or a use in between, finds another number of tokens.
  const isAsSeen = sql`EXISTS (
    SELECT 1 FROM users u
    LEFT JOIN balances b ON b.user_id = u.id AND b.payment_mode = ${paymentMode}
    WHERE u.id = ${userId} AND u.deleted_at IS NULL AND coalesce(b.total - b.used, 0) = ${left})`
  const said = `Our support ${tokens > 0 ? 'gave you' : 'took'} ${inFigures(Math.abs(tokens))} tokens.`
  return {
    changes: [
      `${inFigures(Math.abs(tokens))} tokens are ${tokens > 0 ? 'given' : 'taken'}: ${inFigures(left)} are left now, ${inFigures(left + tokens)} then.`,
      tokens > 0
        ? 'They have no refund value.'
        : 'They come off what was given by hand first. Of bought tokens, they count as used: no refund pays for them.',
      `A notification tells the customer: "${said}"`,
    ],
    subject: null,
    carryOut: inOneBatch(ctx, isAsSeen, (isWritten, entryId) => {
      const ref = `adjustment:${entryId}`
      const row = { ref, userId, tokens, paymentMode, createdAt: now }
      return {
        entry: db.run(insertFrom(ledger, { ...row, kind: 'adjustment' }, sql`WHERE ${isWritten}`)),
        event: notify(ctx, userId, { text: said, when: isWritten }),
      }
    }),
  }
}
