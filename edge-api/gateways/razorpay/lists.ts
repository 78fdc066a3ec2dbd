import { z } from '../../../src/contract/zod.ts'
import type { Listed, PaymentFact, RefundOrDispute } from '../../domain/ports/payments.ts'
import { read, type Wire } from './call.ts'
import {
  DisputeEntity,
  PaymentEntity,
  RefundEntity,
  toDisputeFact,
  toPaymentFact,
  toRefundFact,
} from './entities.ts'

const PAGE = 100
const PAGES_MAX = 10

const List = z.object({ items: z.array(z.unknown()).max(PAGE) })

/** The fields by which an alert names an entity of unknown shape. */
const Named = z.object({
  entity: z.string().max(40).catch('unknown'),
  id: z.string().max(40).catch('unknown'),
  status: z.string().max(40).catch('unknown'),
})

/**
 * Reads a list item by item. An item of unknown shape, as a new status makes one, raises an alert and is left out, so
 * that it does not hide the others.
 */
export async function readList<Schema extends z.ZodType>(
  wire: Wire,
  request: () => Promise<unknown>,
  schema: Schema,
): Promise<{ items: z.output<Schema>[]; count: number }> {
  const list = await read(wire, request, List)
  const items = list.items.flatMap((item) => {
    const parsed = schema.safeParse(item)
    if (parsed.success) return [parsed.data]
    wire.log.alert('the payment provider listed something unknown', Named.parse(Object(item)))
    return []
  })
  return { items, count: list.items.length }
}

interface Page {
  count: number
  skip: number
}

/** Up to ten pages, the newest first, until `isEnough` says that the last page holds all that is wanted. */
async function readPages<Schema extends z.ZodType>(
  wire: Wire,
  request: (page: Page) => Promise<unknown>,
  schema: Schema,
  isEnough: (items: z.output<Schema>[]) => boolean = () => false,
): Promise<Listed<z.output<Schema>>> {
  const items: z.output<Schema>[] = []
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const get = () => request({ count: PAGE, skip: page * PAGE })
    const list = await readList(wire, get, schema)
    items.push(...list.items)
    if (list.count < PAGE || isEnough(list.items)) return { items, isWhole: true }
  }
  return { items, isWhole: false }
}

/** Lists up to 1,000 payments. Razorpay's list lags minutes behind. */
export async function paymentsBetween(
  wire: Wire,
  from: number,
  to: number,
): Promise<Listed<PaymentFact>> {
  const request = (page: Page) =>
    wire.razorpay.payments.all({ from: inSeconds(from), to: inSeconds(to), ...page })
  const { items, isWhole } = await readPages(wire, request, PaymentEntity)
  return { items: items.map(toPaymentFact).filter((fact) => fact !== null), isWhole }
}

/** Lists up to 1,000 refunds. */
export async function refundsBetween(
  wire: Wire,
  from: number,
  to: number,
): Promise<Listed<RefundOrDispute>> {
  const request = (page: Page) =>
    wire.razorpay.refunds.all({ from: inSeconds(from), to: inSeconds(to), ...page })
  const { items, isWhole } = await readPages(wire, request, RefundEntity)
  return { items: items.map(toRefundFact), isWhole }
}

/** Lists up to 1,000 disputes. This list knows no span, so it is read until a page is older. */
export async function disputesSince(wire: Wire, from: number): Promise<Listed<RefundOrDispute>> {
  const since = inSeconds(from)
  const request = (page: Page) => wire.razorpay.disputes.all(page)
  const isOld = (items: DisputeEntity[]) => items.some((item) => item.created_at < since)
  const { items, isWhole } = await readPages(wire, request, DisputeEntity, isOld)
  const recent = items.filter((item) => item.created_at >= since)
  return { items: recent.map(toDisputeFact), isWhole }
}

function inSeconds(ms: number): number {
  return Math.floor(ms / 1_000)
}
