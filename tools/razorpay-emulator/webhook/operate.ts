import { badRequest } from '../api-error.ts'
import { getLink } from '../link/change-link.ts'
import { getOrder } from '../order/read-orders.ts'
import { getPayment } from '../payment/read-payments.ts'
import { getRefund } from '../refund/request-refund.ts'
import type { World } from '../world.ts'
import { webhookSecret } from '../world.ts'
import type { EventPayload } from './emit.ts'
import { emit, enqueue } from './emit.ts'

const replayWindowMs = 7 * 24 * 3600 * 1000

export interface EventSubjects {
  payment_id?: string | undefined
  order_id?: string | undefined
  refund_id?: string | undefined
  payment_link_id?: string | undefined
  dispute_id?: string | undefined
}

/** Sends an event about things that exist, whether or not it just happened. */
export function sendEvent(world: World, event: string, ids: EventSubjects): void {
  const payload: EventPayload = {}
  if (ids.payment_link_id !== undefined) {
    const link = getLink(world, ids.payment_link_id)
    payload.payment_link = { ...link.entity, order_id: link.orderId }
  }
  if (ids.refund_id !== undefined) payload.refund = getRefund(world, ids.refund_id).entity
  if (ids.order_id !== undefined) payload.order = getOrder(world, ids.order_id).entity
  const paymentId = ids.payment_id ?? payload.refund?.payment_id
  if (paymentId !== undefined) payload.payment = getPayment(world, paymentId).entity
  if (ids.dispute_id !== undefined) {
    const dispute = world.state.disputes[ids.dispute_id]
    if (!dispute) throw badRequest('There is no such dispute')
    payload.dispute = dispute
  }
  if (Object.keys(payload).length === 0)
    throw badRequest('Say which payment, order, refund or link')
  emit(world, event, payload)
}

/** Sends an event of the last seven days again, same id and bytes, signed with the current secret. */
export function replayEvent(world: World, eventId: string): void {
  const first = world.state.deliveries.find((delivery) => delivery.eventId === eventId)
  if (!first || world.clock.now() - first.createdAt > replayWindowMs) {
    throw badRequest('There is no event with this id in the last seven days')
  }
  const { event, body, orderId } = first
  enqueue(
    world,
    { eventId, sendsEventId: true, event, body, delayMs: 0, secret: 'current' },
    orderId,
  )
}

/** New events use the next secret; deliveries that are under way keep the signature they have. */
export function rotateSecret(world: World, next: string): void {
  const { endpoint } = world.state
  endpoint.previousSecret = webhookSecret(world)
  endpoint.rotatedSecret = next
}

export function enableEndpoint(world: World): void {
  world.state.endpoint.disabled = false
  world.state.endpoint.failingSince = null
}
