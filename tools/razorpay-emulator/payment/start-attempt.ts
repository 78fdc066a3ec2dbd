import type { PaymentEntity } from '../state/entity.ts'
import type { OrderRecord, PaymentRecord } from '../state/state.ts'
import type { World } from '../world.ts'
import { newId, nextNumber, nowSeconds, scheduleAt } from '../world.ts'
import type { Instrument } from './instrument.ts'
import { doomOfVpa, methodsFor, readCard } from './instrument.ts'
import type { Body } from '../order/validate-order.ts'
import { readNotes } from '../order/validate-order.ts'

const noAnswerMs = 10 * 60 * 1000
const rupeesPerDollar = 84

/** What the buyer's browser adds. None of it may be trusted by a merchant, so none of it is checked. */
export interface Buyer {
  email?: string | undefined
  contact?: string | undefined
  description?: string | undefined
  notes?: Body | undefined
}

/** Why no payment may be begun on this order now, if so. */
export function refusalOf(world: World, order: OrderRecord, instrument: Instrument): string | null {
  if (order.entity.status === 'paid') return 'order_already_paid'
  const payments = Object.values(world.state.payments).filter(
    (payment) => payment.entity.order_id === order.entity.id,
  )
  if (payments.some((payment) => payment.entity.status === 'authorized')) {
    return 'payment_in_progress'
  }
  if (world.state.settings.attemptsPerOrder === 'one' && payments.length > 0) {
    return 'payment_in_progress'
  }
  const methods = methodsFor(order.entity.currency, world.state.settings.paypal)
  return methods.includes(instrument.method) ? null : 'method_not_enabled'
}

function cardFields(world: World, instrument: Instrument, currency: string) {
  const card = readCard(instrument.number ?? '4100280000001007')
  const id = newId(world, 'card_')
  const international = card.international || currency !== 'INR'
  const entity = {
    id,
    entity: 'card' as const,
    last4: card.last4,
    network: card.network,
    type: 'debit',
    issuer: null,
    international,
  }
  return { international, card_id: id, card: entity }
}

function methodFields(world: World, instrument: Instrument, currency: string) {
  const rrn = String(nextNumber(world)).padStart(12, '0')
  if (instrument.method === 'card') {
    return {
      ...cardFields(world, instrument, currency),
      acquirer_data: { auth_code: rrn.slice(-6) },
    }
  }
  if (instrument.method === 'upi') {
    const vpa = instrument.vpa === undefined ? 'success@razorpay' : instrument.vpa
    return { vpa, upi: { vpa, flow: instrument.flow ?? 'collect' }, acquirer_data: { rrn } }
  }
  if (instrument.method === 'netbanking') {
    return { bank: instrument.bank ?? 'HDFC', acquirer_data: { bank_transaction_id: rrn } }
  }
  return {
    wallet: instrument.method === 'paypal' ? 'paypal' : (instrument.wallet ?? 'airtelmoney'),
    acquirer_data: { transaction_id: rrn },
  }
}

function buildEntity(
  world: World,
  order: OrderRecord,
  instrument: Instrument,
  buyer: Buyer,
): PaymentEntity {
  const { amount, currency } = order.entity
  const abroad = currency === 'INR' ? {} : { base_amount: amount * rupeesPerDollar }
  return {
    id: newId(world, 'pay_'),
    entity: 'payment',
    amount,
    currency,
    ...abroad,
    ...(currency === 'INR' ? {} : { base_currency: 'INR' }),
    status: 'created',
    order_id: order.entity.id,
    invoice_id: null,
    international: currency !== 'INR',
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
    contact: buyer.contact ?? '+910000000000',
    notes: readNotes(buyer.notes),
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
}

/** Begins a payment on an order that allows one; the bank has not answered yet. */
export function startAttempt(
  world: World,
  order: OrderRecord,
  instrument: Instrument,
  buyer: Buyer = {},
): PaymentRecord {
  const entity = buildEntity(world, order, instrument, buyer)
  const doom =
    instrument.method === 'card'
      ? readCard(instrument.number ?? '4100280000001007').doom
      : instrument.method === 'upi'
        ? doomOfVpa(entity.vpa)
        : null
  const listedAt = entity.created_at + world.state.settings.listLagSeconds
  const record: PaymentRecord = { entity, authorizedAt: null, listedAt, steps: null, doom }
  world.state.payments[entity.id] = record
  order.entity.attempts += 1
  if (order.entity.status === 'created') order.entity.status = 'attempted'
  scheduleAt(world, world.clock.now() + noAnswerMs, {
    kind: 'payment-timeout',
    paymentId: entity.id,
  })
  return record
}
