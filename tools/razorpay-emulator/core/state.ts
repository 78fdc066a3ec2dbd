import { z } from 'zod'
import { DisputeEntity, LinkEntity, OrderEntity, PaymentEntity, RefundEntity } from './entity.ts'
import { FaultRule } from './fault-rule.ts'

export const Settings = z.object({
  /** Whether a refund waits until a control call moves it. */
  refundsStayPending: z.boolean(),
})

/** The three fields that the checkout hands to the page's handler. */
const Triple = z.object({
  razorpay_payment_id: z.string(),
  razorpay_order_id: z.string(),
  razorpay_signature: z.string(),
})

const CheckoutFailure = z.object({
  code: z.string(),
  description: z.string(),
  source: z.string(),
  step: z.string(),
  reason: z.string(),
  metadata: z.object({ order_id: z.string(), payment_id: z.string().optional() }),
})

/**
 * One thing the checkout window does after a payment: report a failure to the page, call its handler, close as if
 * the buyer had closed it (`dismiss`), or disappear without telling the page (`vanish`).
 */
const CheckoutStep = z.discriminatedUnion('type', [
  z.object({ type: z.literal('failed'), error: CheckoutFailure }),
  z.object({ type: z.literal('success'), triple: Triple }),
  z.object({ type: z.literal('dismiss') }),
  z.object({ type: z.literal('vanish') }),
])
export type CheckoutStep = z.infer<typeof CheckoutStep>

const OrderRecord = z.object({
  entity: OrderEntity,
  /** Payments authorised within this many minutes are captured at once. */
  captureWithinMinutes: z.number(),
  /** Payments that nobody captured go back this many minutes after they were authorised. */
  refundAfterMinutes: z.number().default(4_320),
  linkId: z.string().nullable(),
})
export type OrderRecord = z.infer<typeof OrderRecord>

const PaymentRecord = z.object({
  entity: PaymentEntity,
  /** The checkout window's behaviour once the bank has answered. */
  steps: z.array(CheckoutStep).nullable(),
  /** Why this instrument fails whatever the buyer does: error cards of the test mode, wrong numbers and expired cards. */
  forcedFailure: z.string().nullable(),
})
export type PaymentRecord = z.infer<typeof PaymentRecord>

const RefundRecord = z.object({
  entity: RefundEntity,
  idempotencyKey: z.string().nullable(),
  requestBody: z.string(),
})

const LinkRecord = z.object({
  entity: LinkEntity,
  code: z.string(),
  orderId: z.string().nullable(),
})
export type LinkRecord = z.infer<typeof LinkRecord>

/** One copy of a webhook event on its way to the merchant: the exact bytes and their signature. */
const Delivery = z.object({
  id: z.int(),
  eventId: z.string(),
  event: z.string(),
  orderId: z.string().nullable(),
  body: z.string(),
  signature: z.string(),
  createdAt: z.number(),
  firstAttemptAt: z.number().nullable(),
  state: z.enum(['pending', 'delivered', 'lost', 'gave_up']),
  attempts: z.array(
    z.object({
      at: z.number(),
      status: z.int().nullable(),
      error: z.string().nullable(),
    }),
  ),
})
export type Delivery = z.infer<typeof Delivery>

const Job = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('deliver'), deliveryId: z.int() }),
  z.object({ kind: z.literal('payment-timeout'), paymentId: z.string() }),
  z.object({ kind: z.literal('late-authorize'), paymentId: z.string() }),
  z.object({ kind: z.literal('auto-refund'), paymentId: z.string() }),
  z.object({ kind: z.literal('expire-link'), linkId: z.string() }),
])
export type Job = z.infer<typeof Job>

const Timer = z.object({ id: z.int(), at: z.int(), job: Job })
export type Timer = z.infer<typeof Timer>

/** Everything that survives a restart. `clock` is the last virtual instant seen, in milliseconds. */
export const State = z.object({
  version: z.literal(3),
  seed: z.string(),
  counter: z.int(),
  clock: z.int(),
  settings: Settings,
  orders: z.record(z.string(), OrderRecord),
  payments: z.record(z.string(), PaymentRecord),
  refunds: z.record(z.string(), RefundRecord),
  links: z.record(z.string(), LinkRecord),
  disputes: z.record(z.string(), DisputeEntity),
  deliveries: z.array(Delivery),
  /** The time since which no webhook has been delivered, in milliseconds. */
  failingSince: z.number().nullable(),
  faults: z.array(FaultRule),
  timers: z.array(Timer),
})
export type State = z.infer<typeof State>

/** A state without any orders. All ids follow from the seed. */
export function emptyState(seed: string): State {
  return {
    version: 3,
    seed,
    counter: 0,
    clock: 0,
    settings: { refundsStayPending: false },
    orders: {},
    payments: {},
    refunds: {},
    links: {},
    disputes: {},
    deliveries: [],
    failingSince: null,
    faults: [],
    timers: [],
  }
}
