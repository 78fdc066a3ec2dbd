import { z } from 'zod'

const ms = z.int().min(0).max(3_600_000)
const seconds = z
  .int()
  .min(0)
  .max(40 * 24 * 3600)

/** Faults of the wire: they strike before or after a request is carried out. */
export const WireAction = z.discriminatedUnion('type', [
  z.object({ type: z.literal('hang') }),
  z.object({ type: z.literal('delay'), ms }),
  z.object({ type: z.literal('reset'), when: z.enum(['before', 'after']).default('before') }),
  z.object({ type: z.literal('slow_body'), ms: ms.default(3000) }),
  z.object({
    type: z.literal('status'),
    code: z.int().min(200).max(599),
    body: z.enum(['json', 'html', 'null', 'empty']).default('json'),
    retry_after: z.int().min(0).optional(),
  }),
  z.object({ type: z.literal('truncated_json') }),
  z.object({ type: z.literal('commit_then_reset') }),
  z.object({ type: z.literal('commit_then_504') }),
  z.object({ type: z.literal('capture_fails') }),
  z.object({ type: z.literal('capture_then_error') }),
  z.object({ type: z.literal('script_blocked') }),
  z.object({ type: z.literal('frame_blocked') }),
])

/** Faults that change an order as it is made or read. */
export const OrderAction = z.discriminatedUnion('type', [
  z.object({ type: z.literal('order_amount_mismatch'), delta: z.int().default(-100) }),
  z.object({ type: z.literal('list_lag'), seconds: seconds.default(300) }),
  z.object({ type: z.literal('duplicate_receipt') }),
  z.object({ type: z.literal('foreign_order') }),
])

/** Faults that change how a payment runs. */
export const PaymentAction = z.discriminatedUnion('type', [
  z.object({ type: z.literal('amount_mismatch'), delta: z.int().default(-100) }),
  z.object({ type: z.literal('currency_mismatch'), currency: z.string().length(3).optional() }),
  z.object({ type: z.literal('authorize_only') }),
  z.object({ type: z.literal('late_authorize'), seconds: seconds.default(120) }),
  z.object({ type: z.literal('failed_then_captured'), seconds: seconds.default(1) }),
  z.object({ type: z.literal('fail_then_new_payment') }),
  z.object({ type: z.literal('stuck_created') }),
  z.object({ type: z.literal('second_payment_on_paid_order') }),
  z.object({ type: z.literal('auto_refund') }),
  z.object({ type: z.literal('partial_refund'), amount: z.int().min(1).optional() }),
])

export const RefundAction = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('refund_pending'),
    then: z.enum(['processed', 'failed']).default('failed'),
    seconds: seconds.default(5),
  }),
])

/** Faults between the checkout window and the page that opened it. */
export const BrowserAction = z.discriminatedUnion('type', [
  z.object({ type: z.literal('close_after_pay') }),
  z.object({ type: z.literal('close_before_pay') }),
  z.object({ type: z.literal('handler_delay'), ms: ms.default(3000) }),
  z.object({ type: z.literal('handler_twice') }),
  z.object({ type: z.literal('failed_event_then_handler') }),
  z.object({ type: z.literal('tampered_signature') }),
  z.object({ type: z.literal('other_order_signature') }),
])

/** Faults of webhook delivery. */
export const WebhookAction = z.discriminatedUnion('type', [
  z.object({ type: z.literal('lost') }),
  z.object({ type: z.literal('delay_delivery'), seconds }),
  z.object({ type: z.literal('duplicate'), n: z.int().min(2).max(50).default(2) }),
  z.object({ type: z.literal('duplicate_new_id'), n: z.int().min(2).max(50).default(2) }),
  z.object({ type: z.literal('reorder'), order: z.array(z.string()).min(1) }),
  z.object({ type: z.literal('before_handler') }),
  z.object({ type: z.literal('after_handler'), ms: ms.default(3000) }),
  z.object({ type: z.literal('bad_signature') }),
  z.object({ type: z.literal('old_secret') }),
  z.object({
    type: z.literal('reencode'),
    style: z.enum(['pretty', 'slashes', 'unicode']).default('pretty'),
  }),
  z.object({ type: z.literal('missing_event_id') }),
  z.object({ type: z.literal('unknown_event') }),
  z.object({ type: z.literal('huge'), kilobytes: z.int().min(1).max(4096).default(300) }),
  z.object({ type: z.literal('disabled') }),
])

export type WireAction = z.infer<typeof WireAction>
export type OrderAction = z.infer<typeof OrderAction>
export type PaymentAction = z.infer<typeof PaymentAction>
export type RefundAction = z.infer<typeof RefundAction>
export type BrowserAction = z.infer<typeof BrowserAction>
export type WebhookAction = z.infer<typeof WebhookAction>

const Match = z.strictObject({
  method: z.string().optional(),
  path: z.string().optional(),
  nth: z.int().min(1).optional(),
  order_id: z.string().optional(),
  receipt: z.string().optional(),
  event: z.string().optional(),
})

/** A rule as it is asked for. `times: null` means every time; `seconds` lets it end by itself. */
export const FaultInput = z.strictObject({
  id: z.string().min(1).max(64).optional(),
  match: Match.default({}),
  times: z.int().min(1).nullable().default(1),
  seconds: seconds.optional(),
  action: z.union([
    WireAction,
    OrderAction,
    PaymentAction,
    RefundAction,
    BrowserAction,
    WebhookAction,
  ]),
})
export type FaultInput = z.input<typeof FaultInput>

export const FaultRule = FaultInput.omit({ seconds: true }).extend({
  id: z.string(),
  until: z.int().nullable(),
  seen: z.int(),
  fired: z.int(),
})
export type FaultRule = z.infer<typeof FaultRule>
