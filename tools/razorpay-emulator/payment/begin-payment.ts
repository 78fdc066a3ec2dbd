import { pickBrowser } from '../fault/pick.ts'
import { takeFault } from '../fault/take.ts'
import type { OrderRecord, PaymentRecord } from '../state/state.ts'
import type { Step } from '../state/step.ts'
import type { World } from '../world.ts'
import { failureOf } from './failure.ts'
import type { Instrument } from './instrument.ts'
import type { Buyer } from './start-attempt.ts'
import { refusalOf, startAttempt } from './start-attempt.ts'

/** What the checkout page claims to be paying; the order itself decides. */
export interface Claim {
  amount?: unknown
  currency?: unknown
}

type Begun = { payment: PaymentRecord; steps?: never } | { payment?: never; steps: Step[] }

function refused(order: OrderRecord, reason: string): Begun {
  const metadata = { order_id: order.entity.id }
  return { steps: [{ type: 'failed', error: { ...failureOf(reason), metadata } }] }
}

function differs(claim: Claim, order: OrderRecord): boolean {
  const { amount, currency } = order.entity
  return (
    (claim.amount !== undefined && Number(claim.amount) !== amount) ||
    (claim.currency !== undefined && claim.currency !== currency)
  )
}

/** Starts a payment on the order, or says what the checkout window shows instead. */
export function beginPayment(
  world: World,
  order: OrderRecord,
  instrument: Instrument,
  buyer: Buyer = {},
  claim: Claim = {},
): Begun {
  if (differs(claim, order)) return refused(order, 'order_amount_mismatch')
  const refusal = refusalOf(world, order, instrument)
  if (refusal) return refused(order, refusal)
  const { id, receipt } = order.entity
  const closed = takeFault(world, { order_id: id, receipt }, (action) =>
    action.type === 'close_before_pay' ? pickBrowser(action) : null,
  )
  if (closed) return { steps: [{ type: 'dismiss' }] }
  return { payment: startAttempt(world, order, instrument, buyer) }
}
