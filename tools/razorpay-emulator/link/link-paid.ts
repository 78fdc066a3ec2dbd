import type { PaymentEntity } from '../state/entity.ts'
import type { OrderRecord } from '../state/state.ts'
import { emit } from '../webhook/emit.ts'
import type { World } from '../world.ts'
import { nowSeconds } from '../world.ts'

/** Marks the link of a paid order as paid and tells of it; orders without a link have nothing to tell. */
export function emitLinkPaid(world: World, order: OrderRecord, payment: PaymentEntity): void {
  const link = order.linkId === null ? undefined : world.state.links[order.linkId]
  if (!link) return
  const { entity } = link
  entity.status = 'paid'
  entity.amount_paid = payment.amount
  entity.updated_at = nowSeconds(world)
  entity.payments = [
    {
      payment_id: payment.id,
      amount: payment.amount,
      method: payment.method,
      status: payment.status,
      created_at: payment.created_at,
    },
  ]
  emit(world, 'payment_link.paid', {
    payment_link: { ...entity, order_id: order.entity.id },
    order: order.entity,
    payment,
  })
}
