import type { User } from '../../contract/account.ts'
import { formatMinor } from '../../contract/amount.ts'
import type { Purchase } from '../../contract/receipt.ts'
import { formatDay } from '../../lib/dates.ts'
import { formatCount } from '../../lib/numbers.ts'
import { planName } from '../../lib/plan-words.ts'

interface Props {
  user: User
  /** The last purchases. */
  bought: readonly Purchase[]
}

/** Why a plan ended before its time, as far as its purchase says it, and which tokens are left. */
export default function PlanEnded({ user: { subscription, tokens }, bought }: Props) {
  const { plan, takenBackAt } = subscription
  const name = planName(plan)
  const left = tokens.total - tokens.used
  const what = `${name}${takenBackAt === null ? '' : ` on ${formatDay(takenBackAt)}`}`
  // Beside it, orders of the plan may stand that were never paid.
  const why = bought.filter(({ item }) => item === name).map((purchase) => whyEnded(what, purchase))
  return (
    <>
      {why.find((text) => text !== null) ?? `The plan ended: ${what}.`}{' '}
      {left > 0 ? `You still have ${formatCount(left)} tokens.` : 'You have no tokens left.'}
    </>
  )
}

/** Null when the purchase did not end. `what` is the plan with the day: "Pro on 28 November 2026". */
function whyEnded(what: string, purchase: Purchase): string | null {
  switch (purchase.state) {
    case 'refunded':
      return `We refunded ${formatMinor(purchase.amountRefunded, purchase.currency)} for ${what}.`
    case 'refund_requested':
      return `You withdrew from ${what}. Your refund is on its way.`
    case 'charged_back':
      return `Your bank returned the payment of ${what}, which ended the plan.`
    case 'disputed':
      return `Your bank disputed the payment of ${what}, which ended the plan.`
    default:
      return null
  }
}
