import type { Customer } from '../../contract/desk.ts'
import { formatDay } from '../../lib/dates.ts'
import { formatCount } from '../../lib/numbers.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Fact } from '../../ui/Fact.tsx'
import { risksOf, sumsOf } from './at-a-glance.ts'
import { planName, STATUS_BADGE } from '../../lib/plan-words.ts'

/** The facts on which every answer to a customer depends. They stay in sight while the rest of the page scrolls. */
export function Strip({ customer }: { customer: Customer }) {
  const { status, plan, currentPeriodEnd } = customer.subscription
  const { used, total } = customer.tokens
  const risks = risksOf(customer)
  const sums = sumsOf(customer.purchases)
  return (
    <section className="card desk-strip" aria-label="At a glance">
      <dl>
        <Fact name="Plan">
          {planName(plan)}
          {plan !== null && status !== 'active' && (
            <>
              {' '}
              <Badge tone={STATUS_BADGE[status].tone}>{STATUS_BADGE[status].text}</Badge>
            </>
          )}
        </Fact>
        {currentPeriodEnd !== null && <Fact name="Until">{formatDay(currentPeriodEnd)}</Fact>}
        <Fact name="Tokens left">
          {formatCount(total - used)} of {formatCount(total)}
        </Fact>
        {sums !== null && (
          <>
            <Fact name="Paid">{sums.paid}</Fact>
            <Fact name="Refunded, owed or lost">{sums.back}</Fact>
          </>
        )}
        <Fact name="Risk">
          {risks.length === 0 ? 'none' : <Badge tone="red">{risks.join(', ')}</Badge>}
        </Fact>
      </dl>
    </section>
  )
}
