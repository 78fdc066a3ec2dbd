import { isStorable } from '../../../src/contract/text.ts'
import { z } from '../../../src/contract/zod.ts'
import {
  type DisputeFact,
  GatewayRejected,
  type PaymentFact,
  type PaymentMode,
  type RefundFact,
} from '../../domain/ports/payments.ts'

const PATTERN = /^(order|pay|plink|rfnd|disp)_[A-Za-z0-9]{14}$/
/** The prefix of the emulator's ids. Real ids are ordered by time and no longer start with these letters. */
const EMULATED = /^[a-z]+_EMU/

/** Whether an id can exist in this payment mode. The emulator's ids are rejected in live and test mode. */
export function isProviderId(id: string, mode: PaymentMode): boolean {
  return PATTERN.test(id) && (mode === 'emulator' || !EMULATED.test(id))
}

/**
 * The same id, checked. The SDK puts ids into the path unescaped, so `x/../../settlements` would read something else
 * with our credentials. Throws GatewayRejected before anything is sent.
 */
export function checkedId(id: string, mode: PaymentMode): string {
  if (isProviderId(id, mode)) return id
  throw new GatewayRejected('id_invalid', 'not an id of this mode')
}

/** Razorpay's objects, with the fields that we use. Amounts are whole minor units, times are seconds. */
const Id = z.string().max(40)
const Currency = z.string().max(3)
const Amount = z.int().min(0)
const Instant = z.int().min(0)
const Text = z.string().max(300).refine(isStorable).nullish().catch(null)

export const PaymentEntity = z.object({
  id: Id,
  order_id: Id.nullish(),
  amount: Amount,
  currency: Currency,
  /** `pending` is a payment on delivery. */
  status: z.enum(['created', 'pending', 'authorized', 'captured', 'refunded', 'failed']),
  captured: z.boolean().nullish(),
  amount_refunded: Amount.nullish(),
  method: Text,
  international: z.boolean().nullish().catch(null),
  error_reason: Text,
  email: z.email().max(254).nullish().catch(null),
  created_at: z.int().nullish().catch(null),
})
export type PaymentEntity = z.output<typeof PaymentEntity>

/** Razorpay shows empty notes as a list or as null. */
const Notes = z.record(z.string(), z.string()).catch({})

export const OrderEntity = z.object({
  id: Id,
  amount: Amount,
  currency: Currency,
  receipt: Id.nullish(),
  notes: Notes,
  created_at: z.int(),
})
export type OrderEntity = z.output<typeof OrderEntity>

export const LinkEntity = z.object({
  id: Id,
  short_url: z.url().max(500),
  amount: Amount,
  currency: Currency,
  reference_id: Id.nullish(),
  expire_by: z.int().nullish(),
  payments: z
    .array(z.object({ payment_id: Id }))
    .max(100)
    .nullish(),
  notes: Notes,
  created_at: z.int(),
})
export type LinkEntity = z.output<typeof LinkEntity>

/** Razorpay lists things under `items`, but payment links under `payment_links`. */
export const LinkList = z.object({ payment_links: z.array(LinkEntity).max(100) })

export const RefundEntity = z.object({
  id: Id.startsWith('rfnd_'),
  payment_id: Id,
  amount: Amount,
  currency: Currency,
  status: z.enum(['pending', 'processed', 'failed', 'reversed']),
  created_at: Instant,
  notes: Notes,
})
export type RefundEntity = z.output<typeof RefundEntity>

export const DisputeEntity = z.object({
  id: Id.startsWith('disp_'),
  payment_id: Id,
  amount: Amount,
  currency: Currency,
  amount_deducted: Amount.nullish(),
  status: z.enum(['open', 'under_review', 'won', 'lost', 'closed']),
  phase: z.string().max(40),
  respond_by: Instant.nullish(),
  created_at: Instant,
})
export type DisputeEntity = z.output<typeof DisputeEntity>

/** The address that Razorpay reports when the payer gave none. */
const NO_ADDRESS = 'void@razorpay.com'

/** Null for a payment without an order: it is not one of ours. */
export function toPaymentFact(entity: PaymentEntity): PaymentFact | null {
  if (typeof entity.order_id !== 'string') return null
  const isSentBack = entity.status === 'refunded' && entity.captured !== true
  return {
    paymentId: entity.id,
    razorpayOrderId: entity.order_id,
    amountMinor: entity.amount,
    currency: entity.currency,
    status: statusOf(entity),
    amountRefundedMinor: isSentBack ? entity.amount : (entity.amount_refunded ?? 0),
    method: entity.method ?? null,
    isInternational: entity.method === 'card' ? (entity.international ?? null) : null,
    errorReason: entity.error_reason ?? null,
    payerEmail: entity.email === NO_ADDRESS ? null : (entity.email ?? null),
    beganAt: entity.created_at == null ? null : entity.created_at * 1_000,
  }
}

/**
 * `status` decides first: some of Razorpay's samples have `captured: true` with `authorized` or `failed`. A payment
 * that is `refunded` but not `captured` was sent back by Razorpay before it became ours.
 */
function statusOf({ status, captured }: PaymentEntity): PaymentFact['status'] {
  if (status === 'captured' || status === 'refunded') {
    return captured === true ? 'captured' : 'authorized'
  }
  return status === 'pending' ? 'created' : status
}

/** A refund counts from the moment it is requested, unless it fails. Amounts in minor units. */
export function toRefundFact(entity: RefundEntity): RefundFact {
  return {
    id: entity.id,
    kind: 'refund',
    paymentId: entity.payment_id,
    amountMinor: entity.amount,
    currency: entity.currency,
    // One that was `reversed` failed, too.
    state: entity.status === 'reversed' ? 'failed' : entity.status,
    beganAt: entity.created_at * 1_000,
    reason: entity.notes['reason'] ?? null,
  }
}

/**
 * A dispute as it stands now. Amounts in minor units of its own currency, which may not be the payment's. One that is
 * `under_review` was answered: the bank decides, for weeks, and its `respond_by` binds nobody any more.
 */
export function toDisputeFact(entity: DisputeEntity): DisputeFact {
  const respondBy = entity.status === 'under_review' ? null : entity.respond_by
  return {
    id: entity.id,
    kind: 'dispute',
    paymentId: entity.payment_id,
    amountMinor: entity.amount,
    currency: entity.currency,
    state: disputeState(entity),
    phase: entity.phase,
    respondBy: typeof respondBy === 'number' ? respondBy * 1_000 : null,
    beganAt: entity.created_at * 1_000,
    asOf: null,
  }
}

/** The phases in which a bank only asks, before it takes money back. */
const INQUIRIES = ['retrieval', 'fraud']

/**
 * A chargeback counts from its first day, because Razorpay keeps the money from then on, unless it is won or closed
 * without a decision. An inquiry takes nothing, unless money was deducted for it, not even when it is lost.
 */
function disputeState({ status, phase, amount_deducted }: DisputeEntity): DisputeFact['state'] {
  if (status === 'won' || status === 'closed') return 'won'
  const isInquiry = INQUIRIES.includes(phase) && (amount_deducted ?? 0) === 0
  if (status === 'lost') return isInquiry ? 'won' : 'lost'
  return isInquiry ? 'inquiry' : 'open'
}
