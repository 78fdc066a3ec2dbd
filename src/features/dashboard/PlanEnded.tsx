import type { User } from '../../contract/account.ts'
import type { Purchase } from '../../contract/receipt.ts'
import { formatCount } from '../../lib/numbers.ts'
import { whyEnded } from './plan-ended.ts'

interface Props {
  user: User
  /** The last purchases. */
  bought: readonly Purchase[]
}

/** Why a plan ended before its time, and which tokens are left. */
export default function PlanEnded({ user: { subscription, tokens }, bought }: Props) {
  const left = tokens.total - tokens.used
  return (
    <>
      {whyEnded(subscription, bought)}{' '}
      {left > 0 ? `You still have ${formatCount(left)} tokens.` : 'You have no tokens left.'}
    </>
  )
}
