import { z } from 'zod'
import { FaultRule } from '../fault/rule.ts'
import { Delivery, Endpoint } from './delivery.ts'
import { DisputeEntity, LinkEntity, OrderEntity, PaymentEntity, RefundEntity } from './entity.ts'
import { defaultSettings, Settings } from './settings.ts'
import { Step } from './step.ts'

export const CaptureRule = z.object({
  mode: z.enum(['automatic', 'manual']),
  automaticExpiryMinutes: z.int(),
})
export type CaptureRule = z.infer<typeof CaptureRule>

export const OrderRecord = z.object({
  entity: OrderEntity,
  capture: CaptureRule,
  linkId: z.string().nullable(),
  listedAt: z.int(),
})
export type OrderRecord = z.infer<typeof OrderRecord>

export const PaymentRecord = z.object({
  entity: PaymentEntity,
  authorizedAt: z.int().nullable(),
  listedAt: z.int(),
  /** What the checkout window shall do once the bank has answered. */
  steps: z.array(Step).nullable(),
  /** Reason of the failure that its instrument is made for, decided once the bank has answered. */
  doom: z.string().nullable(),
})
export type PaymentRecord = z.infer<typeof PaymentRecord>

export const RefundRecord = z.object({
  entity: RefundEntity,
  idempotencyKey: z.string().nullable(),
  requestBody: z.string(),
})
export type RefundRecord = z.infer<typeof RefundRecord>

export const LinkRecord = z.object({
  entity: LinkEntity,
  code: z.string(),
  orderId: z.string().nullable(),
})
export type LinkRecord = z.infer<typeof LinkRecord>

export const Job = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('deliver'), deliveryId: z.int() }),
  z.object({ kind: z.literal('disable-endpoint') }),
  z.object({ kind: z.literal('payment-timeout'), paymentId: z.string() }),
  z.object({ kind: z.literal('late-authorize'), paymentId: z.string() }),
  z.object({ kind: z.literal('auto-refund'), paymentId: z.string() }),
  z.object({ kind: z.literal('finish-refund'), refundId: z.string(), failed: z.boolean() }),
  z.object({ kind: z.literal('expire-link'), linkId: z.string() }),
])
export type Job = z.infer<typeof Job>

export const Timer = z.object({ id: z.int(), at: z.int(), job: Job })
export type Timer = z.infer<typeof Timer>

/** All that must outlive a restart. `clock` is the last virtual instant seen, in milliseconds. */
export const State = z.object({
  version: z.literal(1),
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
  endpoint: Endpoint,
  faults: z.array(FaultRule),
  timers: z.array(Timer),
})
export type State = z.infer<typeof State>

/** A state without any orders, whose ids all follow from the seed. */
export function emptyState(seed: string): State {
  return {
    version: 1,
    seed,
    counter: 0,
    clock: 0,
    settings: { ...defaultSettings },
    orders: {},
    payments: {},
    refunds: {},
    links: {},
    disputes: {},
    deliveries: [],
    endpoint: { disabled: false, failingSince: null, rotatedSecret: null, previousSecret: null },
    faults: [],
    timers: [],
  }
}
