import { z } from '../../../src/contract/zod.ts'

/** Razorpay's words, as much of them as we use. Amounts are whole minor units, instants seconds. */
const Amount = z.int().min(0)
const Text = z.string().max(300).nullish().catch(null)

export const PaymentEntity = z.object({
  id: z.string().max(40),
  order_id: z.string().max(40).nullish(),
  amount: Amount,
  currency: z.string().max(3),
  status: z.enum(['created', 'authorized', 'captured', 'refunded', 'failed']),
  captured: z.boolean().nullish(),
  amount_refunded: Amount.nullish(),
  method: Text,
  error_reason: Text,
})
export type PaymentEntity = z.output<typeof PaymentEntity>

export const OrderEntity = z.object({
  id: z.string().max(40),
  amount: Amount,
  currency: z.string().max(3),
  receipt: z.string().max(40).nullish(),
})
export type OrderEntity = z.output<typeof OrderEntity>

export const LinkEntity = z.object({
  id: z.string().max(40),
  short_url: z.url().max(500),
  amount: Amount,
  currency: z.string().max(3),
  reference_id: z.string().max(40).nullish(),
  expire_by: z.int().nullish(),
  payments: z
    .array(z.object({ payment_id: z.string().max(40) }))
    .max(100)
    .nullish(),
})
export type LinkEntity = z.output<typeof LinkEntity>

export const RefundEntity = z.object({
  id: z.string().max(40),
  payment_id: z.string().max(40),
  amount: Amount,
  status: z.enum(['pending', 'processed', 'failed']),
})
export type RefundEntity = z.output<typeof RefundEntity>

export const DisputeEntity = z.object({
  id: z.string().max(40),
  payment_id: z.string().max(40),
  amount: Amount,
  status: z.string().max(40),
})
export type DisputeEntity = z.output<typeof DisputeEntity>

/** Lists say `items`, lists of links `payment_links`. */
export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item).max(100) })
export const LinkList = z.object({ payment_links: z.array(LinkEntity).max(100) })
