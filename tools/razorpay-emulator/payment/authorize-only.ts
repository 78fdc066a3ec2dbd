import { getOrder } from '../order/read-orders.ts'
import type { PaymentRecord } from '../state/state.ts'
import type { World } from '../world.ts'
import { authorizePayment } from './moves.ts'

/** Authorises without capturing, whatever the order says. */
export function authorizeOnly(world: World, record: PaymentRecord): void {
  const order = getOrder(world, record.entity.order_id)
  const before = order.capture
  order.capture = { ...before, mode: 'manual' }
  authorizePayment(world, record)
  order.capture = before
}
