import { badRequest } from '../api-error.ts'
import { pickOrder } from '../fault/pick.ts'
import { takeFault } from '../fault/take.ts'
import type { OrderRecord } from '../state/state.ts'
import type { World } from '../world.ts'
import { newId, nowSeconds } from '../world.ts'
import type { Body, OrderRequest } from './validate-order.ts'
import { readOrderRequest } from './validate-order.ts'

function receiptTaken(orderId: string | null): Error {
  return badRequest('Order receipt should be unique.', {
    field: 'receipt',
    step: 'order_creation',
    metadata: orderId === null ? {} : { order_id: orderId },
  })
}

/** Puts an order into the world, also the inner one of a payment link. */
export function addOrder(
  world: World,
  request: OrderRequest,
  linkId: string | null = null,
  lagSeconds = world.state.settings.listLagSeconds,
): OrderRecord {
  const createdAt = nowSeconds(world)
  const record: OrderRecord = {
    entity: {
      id: newId(world, 'order_'),
      entity: 'order',
      amount: request.amount,
      amount_paid: 0,
      amount_due: request.amount,
      currency: request.currency,
      receipt: request.receipt,
      offer_id: null,
      status: 'created',
      attempts: 0,
      notes: request.notes,
      created_at: createdAt,
    },
    capture: request.capture,
    linkId,
    listedAt: createdAt + lagSeconds,
  }
  world.state.orders[record.entity.id] = record
  return record
}

/** `POST /v1/orders`. With `unique_receipt` the same receipt gives the same order again. */
export function createOrder(world: World, body: Body): OrderRecord {
  const request = readOrderRequest(body, world.state.settings)
  const fault = takeFault(
    world,
    { method: 'POST', path: '/v1/orders', receipt: request.receipt },
    pickOrder,
  )
  const first = Object.values(world.state.orders).find(
    ({ entity, linkId }) =>
      linkId === null && request.receipt !== null && entity.receipt === request.receipt,
  )
  if (fault?.type === 'duplicate_receipt') throw receiptTaken(first?.entity.id ?? null)
  if (first && request.uniqueReceipt) return first
  if (first && world.state.settings.receiptReuse === 'reject') throw receiptTaken(first.entity.id)
  const lag = fault?.type === 'list_lag' ? fault.seconds : undefined
  const amount = request.amount + (fault?.type === 'order_amount_mismatch' ? fault.delta : 0)
  const record = addOrder(world, { ...request, amount }, null, lag)
  return record
}
