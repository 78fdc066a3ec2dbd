import { badRequest, unknownId } from '../api-error.ts'
import { collection, page } from '../collection.ts'
import { pickOrder } from '../fault/pick.ts'
import { takeFault } from '../fault/take.ts'
import type { OrderEntity, PaymentEntity } from '../state/entity.ts'
import type { OrderRecord } from '../state/state.ts'
import type { World } from '../world.ts'
import { nowSeconds } from '../world.ts'
import type { Body } from './validate-order.ts'
import { readNotes } from './validate-order.ts'

/** The order of an id, or the error that Razorpay gives for every id it does not know. */
export function getOrder(world: World, id: string): OrderRecord {
  const record = world.state.orders[id]
  if (!record) throw unknownId()
  return record
}

/** As `getOrder`, for a merchant who asks; a fault may make it another merchant's. */
export function fetchOrder(world: World, id: string, path: string): OrderRecord {
  const record = getOrder(world, id)
  const occasion = { method: 'GET', path, order_id: id, receipt: record.entity.receipt }
  const foreign = takeFault(world, occasion, (action) =>
    action.type === 'foreign_order' ? pickOrder(action) : null,
  )
  if (foreign) throw unknownId()
  return record
}

export function paymentsOfOrder(world: World, orderId: string): PaymentEntity[] {
  return Object.values(world.state.payments)
    .map((record) => record.entity)
    .filter((payment) => payment.order_id === orderId)
    .reverse()
}

/** `GET /v1/orders`: newest first; a fresh order may be missing for a while (list lag). */
export function listOrders(world: World, query: URLSearchParams) {
  const receipt = query.get('receipt')
  const authorized = query.get('authorized')
  const withPayments = query.getAll('expand[]').includes('payments')
  const found = Object.values(world.state.orders)
    .filter((order) => order.listedAt <= nowSeconds(world))
    .map((order) => order.entity)
    .filter((order) => receipt === null || order.receipt === receipt)
    .filter((order) => authorized === null || hasAuthorized(world, order) === (authorized === '1'))
  const orders = page(found, query)
  if (!withPayments) return collection(orders)
  return collection(
    orders.map((order) => ({ ...order, payments: collection(paymentsOfOrder(world, order.id)) })),
  )
}

function hasAuthorized(world: World, order: OrderEntity): boolean {
  return paymentsOfOrder(world, order.id).some((payment) => payment.status === 'authorized')
}

/** `PATCH /v1/orders/:id`: only the notes of an order may be changed. */
export function updateOrder(world: World, id: string, body: Body): OrderEntity {
  const { entity } = getOrder(world, id)
  const stranger = Object.keys(body).find((field) => field !== 'notes')
  if (stranger !== undefined) {
    throw badRequest(`${stranger} is/are not required and should not be sent`, {
      field: stranger,
      reason: 'extra_field_sent',
    })
  }
  entity.notes = readNotes(body.notes)
  return entity
}
