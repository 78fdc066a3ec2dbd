import { z } from 'zod'

/** Razorpay shows empty notes as a list and filled ones as an object. */
export const Notes = z.union([z.record(z.string(), z.string()), z.array(z.never())])
export type Notes = z.infer<typeof Notes>

/** Amounts are whole minor units (paise, cents), instants are seconds since 1970. */
export const OrderEntity = z.object({
  id: z.string(),
  entity: z.literal('order'),
  amount: z.int(),
  amount_paid: z.int(),
  amount_due: z.int(),
  currency: z.string(),
  receipt: z.string().nullable(),
  offer_id: z.null(),
  status: z.enum(['created', 'attempted', 'paid']),
  attempts: z.int(),
  notes: Notes,
  created_at: z.int(),
})
export type OrderEntity = z.infer<typeof OrderEntity>

export const Method = z.enum(['card', 'upi', 'netbanking', 'wallet'])
export type Method = z.infer<typeof Method>

export const PaymentEntity = z.object({
  id: z.string(),
  entity: z.literal('payment'),
  amount: z.int(),
  currency: z.string(),
  base_amount: z.int().optional(),
  base_currency: z.string().optional(),
  status: z.enum(['created', 'authorized', 'captured', 'refunded', 'failed']),
  order_id: z.string(),
  invoice_id: z.null(),
  international: z.boolean(),
  method: Method,
  amount_refunded: z.int(),
  refund_status: z.enum(['partial', 'full']).nullable(),
  captured: z.boolean(),
  description: z.string().nullable(),
  card_id: z.string().nullable(),
  bank: z.string().nullable(),
  wallet: z.string().nullable(),
  vpa: z.string().nullable(),
  email: z.string(),
  contact: z.string(),
  notes: Notes,
  fee: z.int().nullable(),
  tax: z.int().nullable(),
  error_code: z.string().nullable(),
  error_description: z.string().nullable(),
  error_source: z.string().nullable(),
  error_step: z.string().nullable(),
  error_reason: z.string().nullable(),
  acquirer_data: z.record(z.string(), z.string()),
  created_at: z.int(),
  upi: z.object({ vpa: z.string().nullable(), flow: z.string() }).optional(),
  late_authorized: z.boolean().optional(),
})
export type PaymentEntity = z.infer<typeof PaymentEntity>

export const RefundEntity = z.object({
  id: z.string(),
  entity: z.literal('refund'),
  amount: z.int(),
  currency: z.string(),
  payment_id: z.string(),
  notes: Notes,
  receipt: z.string().nullable(),
  acquirer_data: z.record(z.string(), z.string().nullable()),
  created_at: z.int(),
  batch_id: z.null(),
  /** `reversed`: the bank sent the money back to us after all. */
  status: z.enum(['pending', 'processed', 'failed', 'reversed']),
  speed_processed: z.string(),
  speed_requested: z.string(),
})
export type RefundEntity = z.infer<typeof RefundEntity>

const LinkPayment = z.object({
  payment_id: z.string(),
  amount: z.int(),
  method: z.string(),
  status: z.string(),
  created_at: z.int(),
})

export const LinkEntity = z.object({
  id: z.string(),
  short_url: z.string(),
  status: z.enum(['created', 'paid', 'cancelled', 'expired']),
  amount: z.int(),
  amount_paid: z.int(),
  currency: z.string(),
  description: z.string(),
  reference_id: z.string(),
  notes: z.record(z.string(), z.string()).nullable(),
  customer: z.record(z.string(), z.string()),
  notify: z.object({ email: z.boolean(), sms: z.boolean() }),
  reminder_enable: z.boolean(),
  reminders: z.array(z.never()),
  accept_partial: z.literal(false),
  first_min_partial_amount: z.literal(0),
  callback_url: z.string(),
  callback_method: z.string(),
  expire_by: z.int(),
  expired_at: z.int(),
  cancelled_at: z.int(),
  created_at: z.int(),
  updated_at: z.int(),
  payments: z.array(LinkPayment).nullable(),
  user_id: z.string(),
  upi_link: z.boolean(),
})
export type LinkEntity = z.infer<typeof LinkEntity>

export const DisputePhase = z.enum([
  'fraud',
  'retrieval',
  'chargeback',
  'pre_arbitration',
  'arbitration',
])
export type DisputePhase = z.infer<typeof DisputePhase>

export const DisputeEntity = z.object({
  id: z.string(),
  entity: z.literal('dispute'),
  payment_id: z.string(),
  amount: z.int(),
  currency: z.string(),
  amount_deducted: z.int(),
  reason_code: z.string(),
  respond_by: z.int(),
  status: z.enum(['open', 'under_review', 'won', 'lost', 'closed']),
  phase: DisputePhase,
  created_at: z.int(),
})
export type DisputeEntity = z.infer<typeof DisputeEntity>
