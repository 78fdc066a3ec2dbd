import { z } from 'zod'

/** Faults of a request and its answer. `commit_…` carries the request out and loses the answer. */
export const WireAction = z.discriminatedUnion('type', [
  z.object({ type: z.literal('hang') }),
  z.object({ type: z.literal('reset') }),
  z.object({
    type: z.literal('status'),
    code: z.int().min(400).max(599),
    body: z.enum(['json', 'html']).default('json'),
  }),
  z.object({ type: z.literal('slow_body'), ms: z.int().min(0).max(3_600_000).default(3000) }),
  z.object({ type: z.literal('truncated_json') }),
  z.object({ type: z.literal('commit_then_reset') }),
  z.object({ type: z.literal('commit_then_504') }),
])
export type WireAction = z.infer<typeof WireAction>

/** Faults of webhook delivery. */
export const WebhookAction = z.discriminatedUnion('type', [
  z.object({ type: z.literal('lost') }),
  z.object({ type: z.literal('duplicate'), n: z.int().min(2).max(50).default(2) }),
  z.object({ type: z.literal('duplicate_new_id'), n: z.int().min(2).max(50).default(2) }),
  z.object({ type: z.literal('reorder'), order: z.array(z.string()).min(1) }),
])
export type WebhookAction = z.infer<typeof WebhookAction>

/** A rule as a request asks for it. `times: null` means every time; `seconds` lets it end by itself. */
export const FaultInput = z.strictObject({
  id: z.string().min(1).max(64).optional(),
  match: z
    .strictObject({
      method: z.string().optional(),
      path: z.string().optional(),
      order_id: z.string().optional(),
      event: z.string().optional(),
    })
    .default({}),
  times: z.int().min(1).nullable().default(1),
  seconds: z.int().min(1).optional(),
  action: z.union([WireAction, WebhookAction]),
})
export type FaultInput = z.input<typeof FaultInput>

export const FaultRule = FaultInput.omit({ seconds: true }).extend({
  id: z.string(),
  until: z.int().nullable(),
  fired: z.int(),
})
export type FaultRule = z.infer<typeof FaultRule>
