import type { Currency } from '../../../src/contract/currency.ts'
import {
  type Listed,
  type PaymentFact,
  type RefundOrDispute,
  GatewayRejected,
} from '../../domain/ports/payments.ts'
import { read, send, type Wire } from './call.ts'
import {
  DisputeEntity,
  PaymentEntity,
  RefundEntity,
  toDisputeFact,
  toPaymentFact,
  toRefundFact,
} from './entities.ts'
import { type Page, readList, readPages } from './lists.ts'
import { checkedId } from './provider-id.ts'

/** Of one payment's refunds. */
const REFUNDS_MAX = 100

/** All payments of an order, failed ones included. Asks by the order's id, because Razorpay's lists lag behind. */
export async function paymentsOfOrder(wire: Wire, orderId: string): Promise<PaymentFact[]> {
  const id = checkedId(orderId, wire.mode)
  const get = () => wire.razorpay.orders.fetchPayments(id)
  const { items } = await readList(wire, get, PaymentEntity)
  return items.map(toPaymentFact).filter((fact) => fact !== null)
}

/** The payment's current state. Throws GatewayRejected for a payment without an order: it is not one of ours. */
export async function fetchPayment(wire: Wire, paymentId: string): Promise<PaymentFact> {
  const id = checkedId(paymentId, wire.mode)
  return requireFact(await read(wire, () => wire.razorpay.payments.fetch(id), PaymentEntity))
}

/** Captures a payment. After any error the payment is fetched, because it may be captured all the same. */
export async function capture(
  wire: Wire,
  payment: { paymentId: string; amountMinor: number; currency: Currency },
): Promise<PaymentFact> {
  const id = checkedId(payment.paymentId, wire.mode)
  const post = () => wire.razorpay.payments.capture(id, payment.amountMinor, payment.currency)
  try {
    return requireFact(await send(wire, post, PaymentEntity))
  } catch (error) {
    const fact = await fetchPayment(wire, id)
    if (fact.status === 'captured') return fact
    throw error
  }
}

/** The newest 100 refunds of a payment, failed ones included. */
export async function refundsOfPayment(wire: Wire, paymentId: string): Promise<RefundOrDispute[]> {
  const id = checkedId(paymentId, wire.mode)
  const get = () => wire.razorpay.payments.fetchMultipleRefund(id, { count: REFUNDS_MAX })
  const { items } = await readList(wire, get, RefundEntity)
  return items.map(toRefundFact)
}

/** The refund's current state. */
export async function fetchRefund(wire: Wire, refundId: string): Promise<RefundOrDispute> {
  const id = checkedId(refundId, wire.mode)
  return toRefundFact(await read(wire, () => wire.razorpay.refunds.fetch(id), RefundEntity))
}

/** The dispute's current state. */
export async function fetchDispute(wire: Wire, disputeId: string): Promise<RefundOrDispute> {
  const id = checkedId(disputeId, wire.mode)
  return toDisputeFact(await read(wire, () => wire.razorpay.disputes.fetch(id), DisputeEntity))
}

/** Refunds once however often it is sent. Razorpay rejects a key with another body, so the amount is part of the key. */
export async function refund(
  wire: Wire,
  { paymentId, amountMinor, key }: { paymentId: string; amountMinor: number; key: string },
): Promise<RefundOrDispute> {
  const id = checkedId(paymentId, wire.mode)
  const razorpay = wire.keyed(`${key}-${amountMinor}`)
  const body = { amount: amountMinor, speed: 'normal' as const, notes: { reason: key } }
  const post = () => razorpay.payments.refund(id, body)
  return toRefundFact(await send(wire, post, RefundEntity, 2))
}

/** Lists up to 1,000 payments. Razorpay's list lags minutes behind. */
export async function paymentsBetween(
  wire: Wire,
  from: number,
  to: number,
): Promise<Listed<PaymentFact>> {
  const request = (page: Page) =>
    wire.razorpay.payments.all({ from: inSeconds(from), to: inSeconds(to), ...page })
  const { items, isWhole } = await readPages(wire, request, PaymentEntity)
  return { items: items.map(toPaymentFact).filter((fact) => fact !== null), isWhole }
}

/** Lists up to 1,000 refunds. */
export async function refundsBetween(
  wire: Wire,
  from: number,
  to: number,
): Promise<Listed<RefundOrDispute>> {
  const request = (page: Page) =>
    wire.razorpay.refunds.all({ from: inSeconds(from), to: inSeconds(to), ...page })
  const { items, isWhole } = await readPages(wire, request, RefundEntity)
  return { items: items.map(toRefundFact), isWhole }
}

/** Lists up to 1,000 disputes. This list knows no span, so it is read until a page is older. */
export async function disputesSince(wire: Wire, from: number): Promise<Listed<RefundOrDispute>> {
  const since = inSeconds(from)
  const request = (page: Page) => wire.razorpay.disputes.all(page)
  const isOld = (items: DisputeEntity[]) => items.some((item) => item.created_at < since)
  const { items, isWhole } = await readPages(wire, request, DisputeEntity, isOld)
  const recent = items.filter((item) => item.created_at >= since)
  return { items: recent.map(toDisputeFact), isWhole }
}

function inSeconds(ms: number): number {
  return Math.floor(ms / 1_000)
}

function requireFact(entity: PaymentEntity): PaymentFact {
  const fact = toPaymentFact(entity)
  if (fact === null) throw new GatewayRejected('no_order', 'the payment has no order')
  return fact
}
