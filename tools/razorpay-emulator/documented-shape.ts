import { z } from 'zod'

/*
 * Razorpay's answers and events as its documentation shows them, written from its pages and samples and not from the
 * emulator's own types. A field that no page names is refused; one that only some samples have is optional. Optional fields
 * that the emulator does not send are left out.
 */

const text = z.string().nullable()
const unixSeconds = z.int().min(1_000_000_000).max(9_999_999_999)
const minorUnits = z.int().min(0)
const id = (prefix: string) => z.string().regex(new RegExp(`^${prefix}_[A-Za-z0-9]{14}$`))
const notes = z.union([z.record(z.string(), z.string()), z.tuple([])])
const currency = z.string().regex(/^[A-Z]{3}$/)

const order = z.strictObject({
  id: id('order'),
  entity: z.literal('order'),
  amount: minorUnits,
  amount_paid: minorUnits,
  amount_due: minorUnits,
  currency,
  receipt: text,
  offer_id: text.optional(),
  status: z.enum(['created', 'attempted', 'paid']),
  attempts: z.int(),
  notes,
  created_at: unixSeconds,
})

/** `pending` is named only where cash on delivery is, and `late_authorized` only on newer pages. */
const payment = z.strictObject({
  id: id('pay'),
  entity: z.literal('payment'),
  amount: minorUnits,
  currency,
  base_amount: minorUnits.optional(),
  base_currency: z.literal('INR').optional(),
  status: z.enum(['created', 'authorized', 'captured', 'refunded', 'failed', 'pending']),
  order_id: id('order').nullable(),
  invoice_id: text,
  international: z.boolean(),
  method: z.enum(['card', 'netbanking', 'wallet', 'upi', 'emi', 'paylater', 'paypal', 'cod']),
  amount_refunded: minorUnits,
  refund_status: z.enum(['partial', 'full']).nullable(),
  captured: z.boolean(),
  late_authorized: z.boolean().optional(),
  description: text,
  card_id: id('card').nullable(),
  bank: text,
  wallet: text,
  vpa: text,
  email: text,
  contact: text,
  notes,
  fee: minorUnits.nullable(),
  tax: minorUnits.nullable(),
  error_code: text,
  error_description: text,
  error_source: text,
  error_step: text,
  error_reason: text,
  acquirer_data: z.partialRecord(
    z.enum([
      'auth_code',
      'arn',
      'rrn',
      'bank_transaction_id',
      'transaction_id',
      'upi_transaction_id',
    ]),
    text,
  ),
  upi: z.strictObject({ vpa: text, flow: z.string().optional() }).optional(),
  created_at: unixSeconds,
})

/** The page on the entity does not name `reversed`; the questions about refunds do. */
const refund = z.strictObject({
  id: id('rfnd'),
  entity: z.literal('refund'),
  amount: minorUnits,
  currency,
  payment_id: id('pay'),
  notes,
  receipt: text,
  acquirer_data: z.partialRecord(z.enum(['arn', 'rrn', 'utr']), text),
  created_at: unixSeconds,
  batch_id: text,
  status: z.enum(['pending', 'processed', 'failed', 'reversed']),
  speed_processed: z.enum(['instant', 'normal', 'optimum']),
  speed_requested: z.enum(['normal', 'optimum']),
})

/** Without `evidence`, which the emulator does not take. */
const dispute = z.strictObject({
  id: id('disp'),
  entity: z.literal('dispute'),
  payment_id: id('pay'),
  amount: minorUnits,
  currency,
  amount_deducted: minorUnits,
  reason_code: z.string(),
  respond_by: unixSeconds,
  status: z.enum(['open', 'under_review', 'won', 'lost', 'closed']),
  phase: z.enum(['fraud', 'retrieval', 'chargeback', 'pre_arbitration', 'arbitration']),
  created_at: unixSeconds,
})

/** Zero where another entity has null: an instant that has not come. */
const unixSecondsOrZero = z.union([z.literal(0), unixSeconds])

const link = z.strictObject({
  id: id('plink'),
  short_url: z.url(),
  status: z.enum(['created', 'partially_paid', 'paid', 'cancelled', 'expired']),
  amount: minorUnits,
  amount_paid: minorUnits,
  currency,
  description: z.string(),
  reference_id: z.string().max(40),
  notes: z.record(z.string(), z.string()).nullable(),
  customer: z.partialRecord(z.enum(['name', 'email', 'contact']), z.string()),
  notify: z.strictObject({ email: z.boolean(), sms: z.boolean() }),
  reminder_enable: z.boolean(),
  reminders: z.union([z.strictObject({ status: z.string() }), z.tuple([])]),
  accept_partial: z.boolean(),
  first_min_partial_amount: minorUnits,
  callback_url: z.string(),
  callback_method: z.enum(['get', '']),
  expire_by: unixSecondsOrZero,
  expired_at: unixSecondsOrZero,
  cancelled_at: unixSecondsOrZero,
  created_at: unixSeconds,
  updated_at: unixSeconds,
  payments: z
    .array(
      z.strictObject({
        payment_id: id('pay'),
        amount: minorUnits,
        method: z.string(),
        status: z.string(),
        created_at: unixSeconds,
      }),
    )
    .nullable(),
  user_id: z.string(),
  upi_link: z.boolean(),
})

const collectionOf = (item: z.ZodType) =>
  z
    .strictObject({
      entity: z.literal('collection'),
      count: z.int(),
      items: z.array(item).max(100),
    })
    .refine(({ count, items }) => count === items.length, { error: 'counts its items' })

const failure = z.strictObject({
  error: z.strictObject({
    code: z.enum(['BAD_REQUEST_ERROR', 'GATEWAY_ERROR', 'SERVER_ERROR']),
    description: z.string().min(1),
    field: z.string().optional(),
    source: z.string().optional(),
    step: z.string().optional(),
    reason: z.string().optional(),
    metadata: z
      .strictObject({ payment_id: z.string().optional(), order_id: z.string().optional() })
      .optional(),
  }),
})

/** The answers, by method and path. The first that fits counts. */
const answers: [RegExp, z.ZodType][] = [
  [/^GET \/orders$/, collectionOf(order)],
  [/^GET \/orders\/\w+\/payments$/, collectionOf(payment)],
  [/^(POST \/orders|GET \/orders\/\w+)$/, order],
  [/^GET \/payments$/, collectionOf(payment)],
  [/^(GET \/payments\/\w+|POST \/payments\/\w+\/capture)$/, payment],
  [/^GET (\/payments\/\w+)?\/refunds$/, collectionOf(refund)],
  [/^(GET \/refunds\/\w+|POST \/payments\/\w+\/refund)$/, refund],
  [/^GET \/disputes$/, collectionOf(dispute)],
  [/^GET \/disputes\/\w+$/, dispute],
  [/^GET \/payment_links$/, z.strictObject({ payment_links: z.array(link) })],
  [/^(POST \/payment_links|GET \/payment_links\/\w+|POST \/payment_links\/\w+\/cancel)$/, link],
]

const inEvent = (entity: z.ZodType) => z.strictObject({ entity })

/** The event of a link says which order is behind it; the link itself does not. */
const linkEvent = z.strictObject({
  payment_link: inEvent(link.extend({ order_id: id('order').nullable() })),
  order: inEvent(order).optional(),
  payment: inEvent(payment).optional(),
})
const paymentEvent = z.strictObject({ payment: inEvent(payment) })
const orderEvent = z.strictObject({ payment: inEvent(payment), order: inEvent(order) })
const refundEvent = z.strictObject({ refund: inEvent(refund), payment: inEvent(payment) })
const disputeEvent = z.strictObject({ payment: inEvent(payment), dispute: inEvent(dispute) })

/** What an event carries, by its name. */
const payloads: [RegExp, z.ZodType][] = [
  [/^payment\.(authorized|captured|failed|pending)$/, paymentEvent],
  [/^order\.paid$/, orderEvent],
  [/^refund\.(created|processed|failed|speed_changed)$/, refundEvent],
  [/^payment\.dispute\.(created|won|lost|closed|under_review|action_required)$/, disputeEvent],
  [/^payment_link\.(paid|cancelled|expired|partially_paid)$/, linkEvent],
]

const envelope = z.strictObject({
  entity: z.literal('event'),
  account_id: id('acc'),
  event: z.string(),
  contains: z.array(z.string()),
  payload: z.record(z.string(), z.unknown()),
  created_at: unixSeconds,
})

function schemaFor(documented: [RegExp, z.ZodType][], name: string): z.ZodType {
  const schema = documented.find(([pattern]) => pattern.test(name))?.[1]
  if (!schema) throw new Error(`Razorpay documents no ${name}`)
  return schema
}

function requireShape(name: string, schema: z.ZodType, value: unknown): void {
  const { error } = schema.safeParse(value)
  if (error) throw new Error(`${name} is not as documented:\n${z.prettifyError(error)}`)
}

/** Throws unless an answer of `/v1` has the documented shape. `path` comes without `/v1`. */
export function requireDocumentedAnswer(
  { method, path, status }: { method: string; path: string; status: number },
  json: unknown,
): void {
  const name = `${method} ${path.replace(/\?.*/, '')}`
  if (status >= 400) requireShape(`${String(status)} of ${name}`, failure, json)
  else requireShape(name, schemaFor(answers, name), json)
}

/** Throws unless the body of a webhook has the documented shape. */
export function requireDocumentedEvent(body: unknown): void {
  const { event, contains, payload } = envelope.parse(body)
  requireShape(event, schemaFor(payloads, event), payload)
  const names = Object.keys(payload).sort()
  if (names.join() !== [...contains].sort().join()) {
    throw new Error(`${event} contains ${names.join()} and says ${contains.join()}`)
  }
}
