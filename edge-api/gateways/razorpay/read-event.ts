import { parseJson } from '../../../src/contract/parse-json.ts'
import { z } from '../../../src/contract/zod.ts'
import {
  type PaymentMode,
  type Facts,
  factsOf,
  type ProviderEvent,
} from '../../domain/ports/payments.ts'
import {
  DisputeEntity,
  isProviderId,
  OrderEntity,
  PaymentEntity,
  RefundEntity,
  toDisputeFact,
  toPaymentFact,
  toRefundFact,
} from './entities.ts'

const entity = <Schema extends z.ZodType>(schema: Schema) => z.object({ entity: schema }).optional()

const Envelope = z.object({
  event: z.string().max(100),
  created_at: z.int().min(0).nullish().catch(null),
})

/** The entities we use. One of another shape makes the whole event unreadable. */
const Payload = z.object({
  payload: z.object({
    payment: entity(PaymentEntity),
    order: entity(OrderEntity.pick({ id: true, receipt: true })),
    payment_link: entity(z.object({ id: z.string().max(40) })),
    refund: entity(RefundEntity),
    dispute: entity(DisputeEntity),
  }),
})

/**
 * Reads the body of a webhook whose signature was verified. Entities are snapshots; `settle` accepts them in any order.
 * Only disputes go back and forth, so they carry the time of the event. For other events the envelope's `created_at` is
 * ignored; a payment link's is that of the link.
 */
export function readEvent(body: string, mode: PaymentMode): ProviderEvent {
  const json = parseJson(body)
  const envelope = Envelope.safeParse(json).data
  const name = envelope?.event ?? 'unreadable'
  const parsed = Payload.safeParse(json)
  if (!parsed.success) return { name, facts: null }
  const second = envelope?.created_at
  // An answer of Razorpay earlier in this second may be older than the event.
  const asOf = typeof second === 'number' ? second * 1_000 + 999 : null
  const facts = toFacts(parsed.data.payload, asOf)
  return { name, facts: areOfMode(facts, mode) ? facts : null }
}

function toFacts(payload: z.output<typeof Payload>['payload'], asOf: number | null): Facts {
  const { payment, order, payment_link: link, refund, dispute } = payload
  const fact = payment ? toPaymentFact(payment.entity) : null
  const receipt = order?.entity.receipt
  return factsOf({
    payments: fact ? [fact] : [],
    // One of Razorpay's samples has the link's order id without its prefix; the payment's order id is right.
    linkOrders:
      link && fact ? [{ linkId: link.entity.id, razorpayOrderId: fact.razorpayOrderId }] : [],
    orders:
      order && !link && typeof receipt === 'string'
        ? [{ razorpayOrderId: order.entity.id, purchaseId: receipt }]
        : [],
    refunds: refund ? [toRefundFact(refund.entity)] : [],
    disputes: dispute ? [{ ...toDisputeFact(dispute.entity), asOf }] : [],
  })
}

function areOfMode(facts: Facts, mode: PaymentMode): boolean {
  const { payments, orders, linkOrders, refunds, disputes } = facts
  const ids = [
    ...payments.flatMap((fact) => [fact.paymentId, fact.razorpayOrderId]),
    ...orders.map((fact) => fact.razorpayOrderId),
    ...linkOrders.map((fact) => fact.linkId),
    ...[...refunds, ...disputes].flatMap((fact) => [fact.id, fact.paymentId]),
  ]
  return ids.every((id) => isProviderId(id, mode))
}
