import type { Method, Notes, PaymentEntity } from '../core/entity.ts'
import { signCheckout } from '../core/signature.ts'
import type { CheckoutStep, OrderRecord, PaymentRecord } from '../core/state.ts'
import type { World } from '../core/world.ts'
import { newId, nextNumber, nowSeconds, scheduleAt } from '../core/world.ts'
import type { FailureReason } from './failure.ts'
import { failureError, failureOf } from './failure.ts'
import { forcedFailureOf, Instrument, isInternational, methodsFor } from './instrument.ts'
import { authorizePayment, canMove, failPayment } from './payments.ts'
import { paymentsOfOrder } from './orders.ts'

const noAnswerMs = 10 * 60 * 1000
const rupeesPerDollar = 84

/** Values from the buyer's browser. A merchant may trust none of them, so the emulator does not check them. */
export interface Buyer {
  email?: string | undefined
  description?: string | undefined
  notes?: Notes | undefined
}

/** The answer of the buyer's bank. */
type Outcome = 'success' | 'authorize_only' | { failure: string }

/** Why no payment can begin on this order now, or null. */
export function rejectionOf(
  world: World,
  order: OrderRecord,
  { method }: Instrument,
): FailureReason | null {
  const { id, currency, status } = order.entity
  if (status === 'paid') return 'order_already_paid'
  if (paymentsOfOrder(world, id).some((payment) => payment.status === 'authorized')) {
    return 'payment_in_progress'
  }
  const methods = methodsFor(currency)
  return methods.includes(method) ? null : 'method_not_enabled'
}

function methodFields(world: World, instrument: Instrument, currency: string) {
  const { method, number, vpa, flow, bank, wallet } = instrument
  const rrn = String(nextNumber(world)).padStart(12, '0')
  if (method === 'card') {
    const card_id = newId(world, 'card_')
    const international = isInternational(number) || currency !== 'INR'
    return { international, card_id, acquirer_data: { auth_code: rrn.slice(-6) } }
  }
  if (method === 'upi') return { vpa, upi: { vpa, flow }, acquirer_data: { rrn } }
  if (method === 'netbanking') return { bank, acquirer_data: { bank_transaction_id: rrn } }
  return { wallet, acquirer_data: { transaction_id: rrn } }
}

/** Begins a payment on an order, whatever its state. The bank has not answered yet. */
export function startAttempt(
  world: World,
  order: OrderRecord,
  instrument: Instrument,
  buyer: Buyer = {},
): PaymentRecord {
  const { id: order_id, amount, currency } = order.entity
  const isAbroad = currency !== 'INR'
  const entity: PaymentEntity = {
    id: newId(world, 'pay_'),
    entity: 'payment',
    amount,
    currency,
    ...(isAbroad ? { base_amount: amount * rupeesPerDollar, base_currency: 'INR' } : {}),
    status: 'created',
    order_id,
    invoice_id: null,
    international: isAbroad,
    method: instrument.method,
    amount_refunded: 0,
    refund_status: null,
    captured: false,
    description: buyer.description ?? null,
    card_id: null,
    bank: null,
    wallet: null,
    vpa: null,
    email: buyer.email ?? 'void@razorpay.com',
    contact: '+910000000000',
    notes: buyer.notes ?? [],
    fee: null,
    tax: null,
    error_code: null,
    error_description: null,
    error_source: null,
    error_step: null,
    error_reason: null,
    created_at: nowSeconds(world),
    ...methodFields(world, instrument, currency),
  }
  const forcedFailure = forcedFailureOf(instrument, nowSeconds(world))
  const record: PaymentRecord = { entity, steps: null, forcedFailure }
  world.state.payments[entity.id] = record
  order.entity.attempts += 1
  if (order.entity.status === 'created') order.entity.status = 'attempted'
  const timeoutAt = world.clock.now() + noAnswerMs
  scheduleAt(world, timeoutAt, { kind: 'payment-timeout', paymentId: entity.id })
  return record
}

/** Begins a payment where the order allows one. Throws an ApiError with the reason where it does not. */
export function beginPayment(
  world: World,
  order: OrderRecord,
  method: Method,
  buyer: Buyer = {},
): PaymentRecord {
  const instrument = Instrument.parse({ method })
  const rejection = rejectionOf(world, order, instrument)
  if (rejection) throw failureError(rejection)
  return startAttempt(world, order, instrument, buyer)
}

/** The step that hands the page its signed triple, which proves that the payment belongs to the order. */
function successStep(world: World, { entity }: PaymentRecord): CheckoutStep {
  const { id, order_id } = entity
  const triple = {
    razorpay_payment_id: id,
    razorpay_order_id: order_id,
    razorpay_signature: signCheckout(order_id, id, world.config.keySecret),
  }
  return { type: 'success', triple }
}

/** The step that reports a failure to the page. A refused attempt has no payment. */
export function failedStep(
  reason: string,
  metadata: { order_id: string; payment_id?: string },
): CheckoutStep {
  return { type: 'failed', error: { ...failureOf(reason), metadata } }
}

/** Records the bank's answer. An attempt that has ended keeps its first answer. */
export function completeAttempt(
  world: World,
  record: PaymentRecord,
  outcome: Outcome,
): CheckoutStep[] {
  const { id, order_id } = record.entity
  if (record.steps) return record.steps
  if (!canMove(record.entity, 'failed')) return []
  if (typeof outcome === 'object') {
    failPayment(world, record, outcome.failure)
    record.steps = [failedStep(outcome.failure, { order_id, payment_id: id })]
  } else {
    authorizePayment(world, record, { capture: outcome === 'success' })
    record.steps = [successStep(world, record)]
  }
  return record.steps
}
