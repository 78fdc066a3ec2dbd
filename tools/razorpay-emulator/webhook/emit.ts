import { badRequest } from '../core/errors.ts'
import type {
  DisputeEntity,
  LinkEntity,
  OrderEntity,
  PaymentEntity,
  RefundEntity,
} from '../core/entity.ts'
import { WebhookAction } from '../core/fault-rule.ts'
import { sign } from '../core/signature.ts'
import { takeFault } from '../core/take-fault.ts'
import type { World } from '../core/world.ts'
import { newId, nextNumber, nowSeconds, scheduleAt } from '../core/world.ts'
import { isEndpointDisabled } from './deliver.ts'
import type { Draft } from './shape.ts'
import { shapeDraft } from './shape.ts'

const accountId = 'acc_EMUacct0000001'
const keptDeliveries = 500
/** Events leave so long after the change. */
const emissionDelayMs = 300
const replayWindowMs = 7 * 24 * 3600 * 1000

/** The entities of an event, in the order in which its `contains` names them. */
interface EventPayload {
  payment_link?: LinkEntity & { order_id: string | null }
  refund?: RefundEntity
  order?: OrderEntity
  payment?: PaymentEntity
  dispute?: DisputeEntity
}

/** Sorts the keys at every level, as in the events of payment links. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortKeys(inner)]))
}

function envelope(world: World, event: string, payload: EventPayload): string {
  const body = {
    entity: 'event',
    account_id: accountId,
    event,
    contains: event === 'order.paid' ? ['payment', 'order'] : Object.keys(payload),
    payload: Object.fromEntries(
      Object.entries(payload).map(([name, entity]) => [name, { entity }]),
    ),
    created_at: payload.payment_link?.created_at ?? nowSeconds(world),
  }
  return JSON.stringify(payload.payment_link ? sortKeys(body) : body)
}

/** Schedules one delivery, signed over the exact bytes it will send. */
function enqueue(world: World, draft: Draft, orderId: string | null): void {
  const { deliveries } = world.state
  const { delayMs, ...copy } = draft
  const id = nextNumber(world)
  deliveries.push({
    ...copy,
    id,
    orderId,
    signature: sign(draft.body, world.config.webhookSecret),
    createdAt: world.clock.now(),
    firstAttemptAt: null,
    state: 'pending',
    attempts: [],
  })
  const finished = deliveries.findIndex((delivery) => delivery.state !== 'pending')
  if (deliveries.length > keptDeliveries && finished >= 0) deliveries.splice(finished, 1)
  scheduleAt(world, world.clock.now() + delayMs, { kind: 'deliver', deliveryId: id })
}

/** Sends an event with a snapshot of its entities, after the usual delay. */
export function emit(world: World, event: string, payload: EventPayload): void {
  const orderId = payload.payment?.order_id ?? payload.order?.id ?? null
  const fault = takeFault(world, WebhookAction, { event, order_id: orderId })
  if (isEndpointDisabled(world)) return
  const draft: Draft = {
    eventId: newId(world, ''),
    event,
    body: envelope(world, event, payload),
    delayMs: emissionDelayMs,
  }
  const drafts = [...world.webhookActions, ...(fault ? [fault] : [])].reduce(
    (before, action) => before.flatMap((one) => shapeDraft(one, action, () => newId(world, ''))),
    [draft],
  )
  for (const one of drafts) enqueue(world, one, orderId)
}

/** Sends an event of the last seven days again, with the same id and bytes. */
export function replayEvent(world: World, eventId: string): void {
  const first = world.state.deliveries.find((delivery) => delivery.eventId === eventId)
  if (!first || world.clock.now() - first.createdAt > replayWindowMs) {
    throw badRequest('There is no event with this id in the last seven days')
  }
  const { event, body, orderId } = first
  enqueue(world, { eventId, event, body, delayMs: 0 }, orderId)
}
