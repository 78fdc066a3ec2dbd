import { z } from 'zod'

const Attempt = z.object({
  at: z.int(),
  status: z.int().nullable(),
  error: z.string().nullable(),
  latencyMs: z.int(),
})

/** One copy of a webhook event on its way to the merchant: the exact bytes and their signature. */
export const Delivery = z.object({
  id: z.int(),
  eventId: z.string(),
  sendsEventId: z.boolean(),
  event: z.string(),
  orderId: z.string().nullable(),
  body: z.string(),
  signature: z.string(),
  createdAt: z.int(),
  firstAttemptAt: z.int().nullable(),
  state: z.enum(['pending', 'delivered', 'lost', 'gave_up']),
  attempts: z.array(Attempt),
})
export type Delivery = z.infer<typeof Delivery>

/** What the merchant's webhook endpoint looks like from here. Instants in milliseconds. */
export const Endpoint = z.object({
  disabled: z.boolean(),
  failingSince: z.int().nullable(),
  rotatedSecret: z.string().nullable(),
  previousSecret: z.string().nullable(),
})
export type Endpoint = z.infer<typeof Endpoint>
