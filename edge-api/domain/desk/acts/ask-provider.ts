import { DESK_ACT } from '../../../../src/contract/desk-acts.ts'
import type { Operator } from '../../account/require-operator.ts'
import type { Context } from '../../context.ts'
import { formatMoney } from '../../format-money.ts'
import { fetchFacts } from '../../purchase/fetch-facts.ts'
import { purchaseById, requirePurchase } from '../../purchase/find-purchase.ts'
import { settle } from '../../purchase/settle.ts'
import { withProvider } from '../../purchase/with-provider.ts'
import type { ActOf, PlannedAct } from '../planned-act.ts'

type About = ActOf<'ask_provider'>

/** Asks Razorpay about a purchase and settles what it says, as the reconcile job does when the purchase is due. */
export async function planAskProvider(
  ctx: Context,
  { userId, purchaseId }: About,
  operator: Operator,
): Promise<PlannedAct> {
  const { rows } = await ctx.db.batch({ rows: purchaseById(ctx, userId, purchaseId) })
  const purchase = requirePurchase(rows)
  const { sku, status, amountMinor, currency } = purchase
  const what = `${sku.replaceAll('_', ' ')} for ${formatMoney(amountMinor, currency)}`
  return {
    changes: [
      `We ask Razorpay about ${what}, which is "${status}" here.`,
      'Its answer is settled like a webhook: tokens, receipt, refunds and emails follow.',
    ],
    subject: purchaseId,
    carryOut: async (entry) => {
      const facts = await withProvider(ctx, () => fetchFacts(ctx, purchase), DESK_ACT.noProvider)
      const cause = `operator ${operator.username}`
      return settle(ctx, purchase, facts, { cause, also: [entry.write()] })
    },
  }
}
