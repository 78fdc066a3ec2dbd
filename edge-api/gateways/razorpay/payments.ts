import type Razorpay from 'razorpay'
import type { Currency } from '../../../src/contract/catalogue.ts'
import {
  type PaymentFact,
  type RefundOrDispute,
  GatewayRefused,
  type PaymentList,
} from '../../domain/ports/payments.ts'
import { send, sendAgain, type Wire } from './call.ts'
import { listOf, PaymentEntity, RefundEntity, toPaymentFact, toRefundFact } from './entities.ts'
import { checkedId } from './provider-id.ts'

const PAGE = 100
const PAGES_MAX = 10

/**
 * All payments of an order, failed ones included. Asks for the order by its id, because Razorpay's lists lag behind.
 * Throws a gateway error on an outage.
 */
export async function paymentsOfOrder(wire: Wire, orderId: string): Promise<PaymentFact[]> {
  const id = checkedId(orderId, wire.mode)
  const get = () => wire.razorpay.orders.fetchPayments(id)
  return toFacts(await read(wire, get, listOf(PaymentEntity)))
}

/** The payment's current state. Throws GatewayRefused for a payment without an order: it is not one of ours. */
export async function fetchPayment(wire: Wire, paymentId: string): Promise<PaymentFact> {
  const id = checkedId(paymentId, wire.mode)
  return requireFact(await read(wire, () => wire.razorpay.payments.fetch(id), PaymentEntity))
}

/** Lists up to 1,000 payments. Razorpay's list lags minutes behind. */
export async function paymentsBetween(wire: Wire, from: number, to: number): Promise<PaymentList> {
  const facts: PaymentFact[] = []
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const query = { from: inSeconds(from), to: inSeconds(to), count: PAGE, skip: page * PAGE }
    const list = await read(wire, () => wire.razorpay.payments.all(query), listOf(PaymentEntity))
    facts.push(...toFacts(list))
    if (list.items.length < PAGE) return { payments: facts, isWhole: true }
  }
  return { payments: facts, isWhole: false }
}

/** Captures a payment. After any error the payment is fetched, because it may be captured all the same. */
export async function capture(
  wire: Wire,
  payment: { paymentId: string; amountMinor: number; currency: Currency },
): Promise<PaymentFact> {
  const id = checkedId(payment.paymentId, wire.mode)
  const post = () => wire.razorpay.payments.capture(id, payment.amountMinor, payment.currency)
  try {
    return requireFact(await send(post, PaymentEntity))
  } catch (error) {
    const fact = await fetchPayment(wire, id)
    if (fact.status === 'captured') return fact
    throw error
  }
}

/** The newest 100 refunds of a payment, failed ones included. */
export async function refundsOfPayment(wire: Wire, paymentId: string): Promise<RefundOrDispute[]> {
  const id = checkedId(paymentId, wire.mode)
  const get = () => wire.razorpay.payments.fetchMultipleRefund(id, { count: PAGE })
  const { items } = await read(wire, get, listOf(RefundEntity))
  return items.map(toRefundFact)
}

/** Refunds once however often it is sent: `razorpay` carries the idempotency key as a header. */
export async function refund(
  wire: Wire,
  razorpay: Razorpay,
  { paymentId, amountMinor, key }: { paymentId: string; amountMinor: number; key: string },
): Promise<RefundOrDispute> {
  const id = checkedId(paymentId, wire.mode)
  const body = { amount: amountMinor, speed: 'normal' as const, notes: { reason: key } }
  const post = () => razorpay.payments.refund(id, body)
  return toRefundFact(await sendAgain(post, RefundEntity, { tries: 2, pacing: wire.pacing }))
}

function read<Schema extends Parameters<typeof send>[1]>(
  wire: Wire,
  request: () => Promise<unknown>,
  schema: Schema,
) {
  return sendAgain(request, schema, { tries: 3, pacing: wire.pacing })
}

function toFacts({ items }: { items: PaymentEntity[] }): PaymentFact[] {
  return items.map(toPaymentFact).filter((fact) => fact !== null)
}

function requireFact(entity: PaymentEntity): PaymentFact {
  const fact = toPaymentFact(entity)
  if (fact === null) throw new GatewayRefused('no_order', 'the payment has no order')
  return fact
}

function inSeconds(ms: number): number {
  return Math.floor(ms / 1_000)
}
