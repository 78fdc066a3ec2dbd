import { defaults } from '../defaults.ts'
import { pickWebhook } from '../fault/pick.ts'
import { takeFault } from '../fault/take.ts'
import { sign } from '../signature.ts'
import type {
  DisputeEntity,
  LinkEntity,
  OrderEntity,
  PaymentEntity,
  RefundEntity,
} from '../state/entity.ts'
import type { World } from '../world.ts'
import { newId, nextNumber, nowSeconds, scheduleAt, webhookSecret } from '../world.ts'
import { sortKeys } from './reencode.ts'
import type { Draft } from './shape.ts'
import { shapeDraft } from './shape.ts'

/** Entities of an event in the order that its `contains` names them. */
export interface EventPayload {
  payment_link?: LinkEntity & { order_id: string | null }
  refund?: RefundEntity
  order?: OrderEntity
  payment?: PaymentEntity
  dispute?: DisputeEntity
}

const keptDeliveries = 500

function envelope(world: World, event: string, payload: EventPayload): string {
  const contains = containsOf(event, payload)
  const body = {
    entity: 'event',
    account_id: defaults.accountId,
    event,
    contains,
    payload: Object.fromEntries(
      Object.entries(payload).map(([name, entity]) => [name, { entity }]),
    ),
    created_at: payload.payment_link?.created_at ?? nowSeconds(world),
  }
  return JSON.stringify(payload.payment_link ? sortKeys(body) : body)
}

function containsOf(event: string, payload: EventPayload): string[] {
  if (event.startsWith('order.')) return ['payment', 'order']
  return Object.keys(payload)
}

function secretFor(world: World, draft: Draft): string {
  if (draft.secret === 'current') return webhookSecret(world)
  const previous = world.state.endpoint.previousSecret ?? 'emu_webhook_secret_0000'
  return draft.secret === 'previous' ? previous : `forged ${previous}`
}

/** Puts one delivery on its way, signed over the exact bytes it will send. */
export function enqueue(world: World, draft: Draft, orderId: string | null): void {
  const id = nextNumber(world)
  const { eventId, sendsEventId, event, body } = draft
  world.state.deliveries.push({
    id,
    eventId,
    sendsEventId,
    event,
    orderId,
    body,
    signature: sign(body, secretFor(world, draft)),
    createdAt: world.clock.now(),
    firstAttemptAt: null,
    state: 'pending',
    attempts: [],
  })
  forgetOldDeliveries(world)
  scheduleAt(world, world.clock.now() + draft.delayMs, { kind: 'deliver', deliveryId: id })
}

function forgetOldDeliveries(world: World): void {
  const { deliveries } = world.state
  if (deliveries.length <= keptDeliveries) return
  const finished = deliveries.findIndex((delivery) => delivery.state !== 'pending')
  if (finished >= 0) deliveries.splice(finished, 1)
}

/** Sends an event with a snapshot of what it tells of, after the usual delay. */
export function emit(world: World, event: string, payload: EventPayload): void {
  const orderId = payload.payment?.order_id ?? payload.order?.id ?? null
  const receipt = payload.order?.receipt ?? (orderId ? receiptOf(world, orderId) : null)
  const fault = takeFault(world, { event, order_id: orderId, receipt }, pickWebhook)
  const actions = [...world.deliveryPlan, ...(fault ? [fault] : [])]
  if (actions.some((action) => action.type === 'disabled')) world.state.endpoint.disabled = true
  if (world.state.endpoint.disabled) return
  const draft: Draft = {
    eventId: newId(world, ''),
    sendsEventId: true,
    event,
    body: envelope(world, event, payload),
    delayMs: world.state.settings.emissionDelayMs,
    secret: 'current',
  }
  const drafts = actions.reduce(
    (before, action) => before.flatMap((one) => shapeDraft(one, action, () => newId(world, ''))),
    [draft],
  )
  for (const one of drafts) enqueue(world, one, orderId)
}

function receiptOf(world: World, orderId: string): string | null {
  return world.state.orders[orderId]?.entity.receipt ?? null
}
