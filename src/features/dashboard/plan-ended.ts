import type { User } from '../../contract/account.ts'
import { formatMinor } from '../../contract/amount.ts'
import type { Purchase } from '../../contract/receipt.ts'
import { formatDay } from '../../lib/dates.ts'
import { planName } from '../../lib/plan-words.ts'

/**
 * Why a plan ended before its time, as far as its purchase says it: the last of that plan that was paid. Beside it, orders may
 * stand that were never paid, or whose payment Razorpay sent back.
 *
 * @param bought the last purchases, newest first
 */
export function whyEnded(
  { plan, takenBackAt }: Pick<User['subscription'], 'plan' | 'takenBackAt'>,
  bought: readonly Purchase[],
): string {
  const name = planName(plan)
  const what = `${name}${takenBackAt === null ? '' : ` on ${formatDay(takenBackAt)}`}`
  const paid = bought.find(({ item, paidAt }) => item === name && paidAt !== null)
  switch (paid?.state) {
    case 'refunded':
      return `We refunded ${formatMinor(paid.amountRefunded, paid.currency)} for ${what}.`
    case 'refund_requested':
      return `A refund was requested for ${what}. It is on its way.`
    case 'charged_back':
      return `Your bank returned the payment of ${what}, which ended the plan.`
    case 'disputed':
      return `Your bank disputed the payment of ${what}. The plan stops until that is decided.`
    default:
      return `The plan ended: ${what}.`
  }
}
