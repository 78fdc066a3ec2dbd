import { CUSTOMER_ROWS_MAX, type Customer } from '../../contract/desk.ts'
import { formatDay } from '../../lib/dates.ts'
import { formatCount, formatSum } from '../../lib/numbers.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Fact } from '../../ui/Fact.tsx'
import { planName, STATUS_BADGE } from '../subscription/plan-words.ts'

/** What every answer to a customer depends on. It stays in sight while the rest of the page scrolls. */
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

function risksOf({ deletedAt, suspendedAt, purchases, tokens }: Customer): string[] {
  const has = (status: string) => purchases.some((purchase) => purchase.status === status)
  const risks = {
    deleted: deletedAt !== null,
    suspended: suspendedAt !== null,
    'open dispute': has('disputed'),
    'payment in review': has('review'),
    'tokens owed': tokens.used > tokens.total,
  }
  return Object.entries(risks).flatMap(([risk, isThere]) => (isThere ? [risk] : []))
}

/** What was paid and what of it went back, was lost or is owed back, in each currency; null where the answer may not have every purchase. */
function sumsOf(purchases: Customer['purchases']): { paid: string; back: string } | null {
  if (purchases.length >= CUSTOMER_ROWS_MAX) return null
  const sums = new Map<Customer['purchases'][number]['currency'], { paid: number; back: number }>()
  for (const { amountMinor, leftMinor, currency } of purchases) {
    if (leftMinor === null) continue
    const { paid, back } = sums.get(currency) ?? { paid: 0, back: 0 }
    const gone = amountMinor - Math.max(0, leftMinor)
    sums.set(currency, { paid: paid + amountMinor, back: back + gone })
  }
  const inWords = (part: 'paid' | 'back') =>
    [...sums]
      .filter(([, sum]) => sum[part] > 0)
      .map(([currency, sum]) => formatSum(sum[part], currency))
      .join(' + ') || 'nothing'
  return { paid: inWords('paid'), back: inWords('back') }
}
