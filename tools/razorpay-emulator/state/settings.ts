import { z } from 'zod'

/** Switches for what Razorpay's own documents leave open or contradict each other on. */
export const Settings = z.object({
  receiptReuse: z.enum(['reject', 'allow']),
  usdMinimum: z.int(),
  international: z.boolean(),
  paypal: z.boolean(),
  autoCapture: z.boolean(),
  attemptsPerOrder: z.enum(['many', 'one']),
  badKeyStatus: z.union([z.literal(400), z.literal(401)]),
  refundWindowDays: z.union([z.literal(3), z.literal(5)]),
  listLagSeconds: z.int().min(0),
  emissionDelayMs: z.int().min(0),
  merchantName: z.string(),
})
export type Settings = z.infer<typeof Settings>

export const defaultSettings: Settings = {
  receiptReuse: 'reject',
  usdMinimum: 100,
  international: true,
  paypal: false,
  autoCapture: true,
  attemptsPerOrder: 'many',
  badKeyStatus: 401,
  refundWindowDays: 3,
  listLagSeconds: 0,
  emissionDelayMs: 300,
  merchantName: 'Test merchant',
}
