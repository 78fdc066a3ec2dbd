import { unknownId } from '../api-error.ts'
import type { Collection } from '../collection.ts'
import { collection, page } from '../collection.ts'
import type { PaymentEntity } from '../state/entity.ts'
import type { PaymentRecord } from '../state/state.ts'
import type { World } from '../world.ts'
import { nowSeconds } from '../world.ts'

export function getPayment(world: World, id: string): PaymentRecord {
  const record = world.state.payments[id]
  if (!record) throw unknownId()
  return record
}

/** The card is shown only when it is asked for with `expand[]=card`. */
export function showPayment(entity: PaymentEntity, query = new URLSearchParams()): PaymentEntity {
  const { card, ...rest } = entity
  return card && query.getAll('expand[]').includes('card') ? { ...rest, card } : rest
}

/** `GET /v1/payments`: newest first; may lag behind like the list of orders. */
export function listPayments(world: World, query: URLSearchParams): Collection<PaymentEntity> {
  const listed = Object.values(world.state.payments)
    .filter((record) => record.listedAt <= nowSeconds(world))
    .map((record) => showPayment(record.entity, query))
  return collection(page(listed, query))
}
