import { Currency } from './catalogue.ts'
import { defineEndpoint, success } from './endpoint.ts'
import { CURSOR_MAX, EMAIL_MAX, NAME_MAX, PAGE_SIZE_MAX } from './limits.ts'
import { PaymentState } from './purchase.ts'
import { Id, Instant } from './text.ts'
import { PageQuery } from './usage.ts'
import { z } from './zod.ts'

export const Purchase = PaymentState.extend({
  receiptNumber: z.string().max(40).nullable(),
  /** Minor units. */
  amountRefunded: z.int(),
  method: z.string().max(40).nullable(),
})
export type Purchase = z.infer<typeof Purchase>

export const purchasesEndpoint = defineEndpoint({
  id: 'purchases',
  method: 'GET',
  path: '/api/payment/purchases',
  access: 'session',
  query: PageQuery.extend({ cursor: Id.optional() }),
  success: success({
    purchases: z.array(Purchase).max(PAGE_SIZE_MAX),
    nextCursor: z.string().max(CURSOR_MAX).nullable(),
  }),
})

/** A receipt. Amounts are in minor units of its currency; lines and tax add up to the total. */
export const Receipt = z.object({
  number: z.string().max(40),
  purchaseId: Id,
  issuedAt: Instant,
  seller: z.object({ name: z.string().max(120), email: z.string().max(EMAIL_MAX) }),
  buyer: z.object({ name: z.string().max(2 * NAME_MAX + 1), email: z.string().max(EMAIL_MAX) }),
  lines: z
    .array(z.object({ description: z.string().max(200), quantity: z.int(), amount: z.int() }))
    .max(20),
  tax: z.int(),
  total: z.int(),
  currency: Currency,
  paymentId: z.string().max(40),
  method: z.string().max(40).nullable(),
  amountRefunded: z.int(),
})
export type Receipt = z.infer<typeof Receipt>

export const receiptEndpoint = defineEndpoint({
  id: 'receipt',
  method: 'GET',
  path: '/api/payment/receipts/{purchaseId}',
  access: 'session',
  params: z.object({ purchaseId: Id }),
  success: success({ receipt: Receipt }),
  errors: ['NOT_FOUND'],
})
