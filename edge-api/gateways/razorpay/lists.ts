import { z } from '../../../src/contract/zod.ts'
import type { Listed } from '../../domain/ports/payments.ts'
import { read, type Wire } from './call.ts'

const PAGE = 100
const PAGES_MAX = 10

const List = z.object({ items: z.array(z.unknown()).max(PAGE) })

/** The fields by which an alert names an entity of unknown shape. */
const Named = z.object({
  entity: z.string().max(40).catch('unknown'),
  id: z.string().max(40).catch('unknown'),
  status: z.string().max(40).catch('unknown'),
})

/** An item of unknown shape, as a new status makes one, raises an alert and is left out: it does not hide the others. */
export async function readList<Schema extends z.ZodType>(
  wire: Wire,
  request: () => Promise<unknown>,
  schema: Schema,
): Promise<{ items: z.output<Schema>[]; count: number }> {
  const list = await read(wire, request, List)
  const items = list.items.flatMap((item) => {
    const parsed = schema.safeParse(item)
    if (parsed.success) return [parsed.data]
    const named = Named.parse({ ...Object(item) })
    wire.log.alert('the payment provider listed something unknown', named)
    return []
  })
  return { items, count: list.items.length }
}

export interface Page {
  count: number
  skip: number
}

/** Up to ten pages, the newest first, until `isEnough` says that the last page holds all that is wanted. */
export async function readPages<Schema extends z.ZodType>(
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
