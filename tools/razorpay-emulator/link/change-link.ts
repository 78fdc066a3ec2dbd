import { badRequest, unknownId } from '../api-error.ts'
import { page } from '../collection.ts'
import { addOrder } from '../order/create-order.ts'
import { getOrder } from '../order/read-orders.ts'
import type { LinkEntity } from '../state/entity.ts'
import type { LinkRecord, OrderRecord } from '../state/state.ts'
import { emit } from '../webhook/emit.ts'
import type { World } from '../world.ts'
import { nowSeconds } from '../world.ts'

export function getLink(world: World, id: string): LinkRecord {
  const record = world.state.links[id]
  if (!record) throw unknownId()
  return record
}

export function findLinkByCode(world: World, code: string): LinkRecord | undefined {
  return Object.values(world.state.links).find((link) => link.code === code)
}

export function listLinks(world: World, query: URLSearchParams): { payment_links: LinkEntity[] } {
  const reference = query.get('reference_id')
  const links = Object.values(world.state.links)
    .map((link) => link.entity)
    .filter((link) => reference === null || link.reference_id === reference)
  return { payment_links: page(links, query) }
}

/** The order behind a link, made when somebody first opens its page. */
export function orderOfLink(world: World, link: LinkRecord): OrderRecord {
  if (link.orderId !== null) return getOrder(world, link.orderId)
  const { amount, currency, notes, reference_id } = link.entity
  const order = addOrder(
    world,
    {
      amount,
      currency,
      receipt: reference_id === '' ? null : reference_id,
      notes: notes ?? [],
      capture: { mode: 'automatic', automaticExpiryMinutes: 3 * 24 * 60 },
      uniqueReceipt: false,
    },
    link.entity.id,
  )
  link.orderId = order.entity.id
  return order
}

function tell(world: World, link: LinkRecord, event: string): void {
  const order = link.orderId === null ? null : getOrder(world, link.orderId)
  emit(world, event, {
    payment_link: { ...link.entity, order_id: link.orderId },
    ...(order ? { order: order.entity } : {}),
  })
}

/** `POST /v1/payment_links/:id/cancel`: only while nobody has paid. */
export function cancelLink(world: World, id: string): LinkEntity {
  const link = getLink(world, id)
  if (link.entity.status !== 'created') {
    throw badRequest('cannot cancel or expire an already paid/partially paid link')
  }
  link.entity.status = 'cancelled'
  link.entity.cancelled_at = nowSeconds(world)
  link.entity.updated_at = nowSeconds(world)
  tell(world, link, 'payment_link.cancelled')
  return link.entity
}

/** Ends a link whose time has come, unless it is over already. */
export function expireLink(world: World, id: string): void {
  const link = world.state.links[id]
  if (link?.entity.status !== 'created') return
  link.entity.status = 'expired'
  link.entity.expired_at = nowSeconds(world)
  link.entity.updated_at = nowSeconds(world)
  tell(world, link, 'payment_link.expired')
}
