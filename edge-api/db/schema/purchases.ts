import { sql } from 'drizzle-orm'
import {
  type AnySQLiteColumn,
  check,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'
import { flag, instant, paymentStatus, wholeNumbers } from './columns.ts'
import { ofUser } from './users.ts'

const PURCHASE_STATUSES = [
  'open',
  'attempted',
  'authorized',
  'paid',
  'review',
  'refunded',
  'expired',
] as const

/**
 * An order of a user. It is fixed before money moves: a trigger refuses to change it. It is stored with its order or link, so
 * it begins `open`, and core/decide.ts decides its `status` from then on.
 */
export const purchases = sqliteTable(
  'purchases',
  {
    id: text('id').primaryKey(),
    userId: ofUser(),
    /** A SKU of src/contract/catalogue.ts. No constraint lists them, so a new plan needs no migration. */
    sku: text('sku').notNull(),
    kind: text('kind', { enum: ['plan', 'token_pack'] }).notNull(),
    tokens: integer('tokens').notNull(),
    accessDays: integer('access_days').notNull(),
    /** Days that operators added to a plan, beyond what was sold. */
    extraDays: integer('extra_days').notNull().default(0),
    amountMinor: integer('amount_minor').notNull(),
    currency: text('currency', { enum: ['USD', 'INR'] }).notNull(),
    paymentMode: text('payment_mode', { enum: ['live', 'test', 'emulator'] }).notNull(),
    channel: text('channel', { enum: ['checkout', 'link'] }).notNull(),
    /** The billing details of the account when it ordered, as JSON. */
    billing: text('billing'),
    /** The country of the connection that ordered: evidence for the place in `billing`. Null when unknown. */
    country: text('country'),
    /** The terms that the buyer accepted by ordering; empty for a purchase that an earlier version recreated from its order. */
    termsVersion: text('terms_version').notNull().default(''),
    createdAt: instant('created_at').notNull(),

    /** No row is `creating` any more. To take it out of the default and the constraint would take a new table. */
    status: text('status', { enum: PURCHASE_STATUSES })
      .notNull()
      .default(sql`'creating'`),
    razorpayOrderId: text('razorpay_order_id'),
    razorpayLinkId: text('razorpay_link_id'),
    razorpayLinkOrderId: text('razorpay_link_order_id'),
    linkUrl: text('link_url'),
    linkExpiresAt: instant('link_expires_at'),
    /** When a signature last proved a payment (core/decide.ts): while it is set, no answer says that the payment failed. */
    verifiedAt: instant('proven_at'),
    paidAt: instant('paid_at'),
    /** When its refund was requested, or its payment refunded in full or disputed; null while it counts. */
    reversedAt: instant('reversed_at'),
    /** When the user cancelled the plan, which runs until the end of its period. */
    cancelledAt: instant('cancelled_at'),
    updatedAt: instant('updated_at').notNull(),
    /** When the reconcile job asks Razorpay next; null when nothing is left to learn. */
    nextCheckAt: instant('next_check_at'),
    checkCount: integer('check_count').notNull().default(0),
  },
  (table) => [
    uniqueIndex('purchases_razorpay_order').on(table.razorpayOrderId),
    uniqueIndex('purchases_razorpay_link').on(table.razorpayLinkId),
    uniqueIndex('purchases_razorpay_link_order').on(table.razorpayLinkOrderId),
    index('purchases_user').on(table.userId, table.createdAt),
    index('purchases_user_id').on(table.userId, table.id),
    index('purchases_paid').on(table.userId, table.kind, table.paidAt),
    index('purchases_due').on(table.nextCheckAt),
    // The end of a plan as `planEndsAt` writes it: an index of another expression would not be used.
    index('purchases_ending').on(
      sql`"paid_at" + ("access_days" + "extra_days") * 86400000`,
      table.id,
    ),
    wholeNumbers(
      'purchases_whole',
      table.tokens,
      table.amountMinor,
      table.accessDays,
      table.extraDays,
    ),
    check('purchases_amount', sql`${table.amountMinor} >= 100`),
    check('purchases_tokens', sql`${table.tokens} > 0`),
    check('purchases_currency', sql`${table.currency} IN ('USD', 'INR')`),
    check('purchases_payment_mode', sql`${table.paymentMode} IN ('live', 'test', 'emulator')`),
    check(
      'purchases_status',
      sql`${table.status} IN ('creating', 'open', 'attempted', 'authorized', 'paid', 'review', 'refunded', 'expired')`,
    ),
  ],
)

const ofPurchase = () =>
  text('purchase_id')
    .notNull()
    .references(() => purchases.id)

/** The purchase that a user's `Idempotency-Key` opened or found. A key always names the same purchase. */
export const orderKeys = sqliteTable(
  'order_keys',
  {
    userId: ofUser(),
    key: text('key').notNull(),
    purchaseId: ofPurchase(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.key] }),
    index('order_keys_purchase').on(table.purchaseId),
  ],
)

/** What Razorpay reported about a payment. Its status only goes up; the sums follow its refunds and disputes (core/money-of.ts). */
export const payments = sqliteTable(
  'payments',
  {
    id: text('id').primaryKey(),
    purchaseId: ofPurchase(),
    razorpayOrderId: text('razorpay_order_id').notNull(),
    amountMinor: integer('amount_minor').notNull(),
    currency: text('currency').notNull(),
    status: paymentStatus('rank').notNull(),
    amountRefundedMinor: integer('amount_refunded_minor').notNull().default(0),
    /** Where its money went, as the core says: refunded, lost in disputes, and still to be refunded. */
    refundedMinor: integer('refunded_minor').notNull().default(0),
    lostMinor: integer('lost_minor').notNull().default(0),
    pendingRefundMinor: integer('pending_refund_minor').notNull().default(0),
    /** When it was begun at Razorpay; null when Razorpay did not say. */
    beganAt: instant('began_at'),
    method: text('method'),
    /** Whether the card is from outside India; null when Razorpay did not say. */
    isInternational: flag('is_international'),
    errorReason: text('error_reason'),
    /** When Razorpay contradicted the amount, currency or order of this payment: a human decides. */
    conflictAt: instant('conflict_at'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    index('payments_purchase').on(table.purchaseId),
    wholeNumbers('payments_whole', table.amountMinor, table.amountRefundedMinor, table.status),
    check('payments_rank', sql`${table.status} BETWEEN 0 AND 3`),
    check('payments_refunded', sql`${table.amountRefundedMinor} >= 0`),
  ],
)

const ofPayment = () =>
  text('payment_id')
    .notNull()
    .references(() => payments.id)

/**
 * A refund or a dispute of a payment, by Razorpay's id. refund-and-dispute-rows.ts turns `state` into Razorpay's words, such as
 * `lost`; ports/payments.ts says what those mean.
 */
export const refundsAndDisputes = sqliteTable(
  'refunds_and_disputes',
  {
    id: text('id').primaryKey(),
    kind: text('kind', { enum: ['refund', 'dispute'] }).notNull(),
    paymentId: ofPayment(),
    amountMinor: integer('amount_minor').notNull(),
    currency: text('currency').notNull(),
    state: text('state', { enum: ['inquiry', 'open', 'final', 'undone'] }).notNull(),
    phase: text('phase'),
    respondBy: instant('respond_by'),
    /** When it began at Razorpay. */
    beganAt: instant('began_at').notNull(),
    /** When Razorpay's last report of it was true: a dispute goes back and forth. */
    asOf: instant('as_of').notNull(),
    /** The key under which we sent a refund (core/refund-key.ts); null for what somebody else did. */
    reason: text('reason'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    index('refunds_and_disputes_payment').on(table.paymentId),
    index('refunds_and_disputes_state').on(table.state, table.updatedAt),
    index('refunds_and_disputes_began').on(table.kind, table.beganAt),
    wholeNumbers('refunds_and_disputes_whole', table.amountMinor),
    check('refunds_and_disputes_amount', sql`${table.amountMinor} >= 0`),
    check(
      'refunds_and_disputes_state',
      sql`${table.state} IN ('inquiry', 'open', 'final', 'undone')`,
    ),
  ],
)

/** Tokens granted for a captured payment. At most one per purchase and one per payment. */
export const grants = sqliteTable(
  'grants',
  {
    purchaseId: text('purchase_id')
      .primaryKey()
      .references(() => purchases.id),
    paymentId: text('payment_id')
      .notNull()
      .unique()
      .references(() => payments.id),
    userId: ofUser(),
    tokens: integer('tokens').notNull(),
    paymentMode: text('payment_mode').notNull(),
    grantedAt: instant('granted_at').notNull(),
  },
  (table) => [
    index('grants_user').on(table.userId, table.grantedAt),
    index('grants_granted').on(table.grantedAt),
  ],
)

/**
 * Receipts are numbered without gaps, in the batch that grants, under the database's write lock. Where tax is charged,
 * each financial year has a series of its own.
 */
export const receipts = sqliteTable(
  'receipts',
  {
    purchaseId: text('purchase_id')
      .primaryKey()
      .references(() => grants.purchaseId),
    /** The financial year, "26-27"; empty for receipts without tax. */
    series: text('series').notNull().default(''),
    number: integer('number').notNull(),
    supply: text('supply', { enum: ['untaxed', 'intra_state', 'inter_state', 'export'] })
      .notNull()
      .default('untaxed'),
    /** In basis points. */
    taxRate: integer('tax_rate').notNull().default(0),
    cgstMinor: integer('cgst_minor').notNull().default(0),
    sgstMinor: integer('sgst_minor').notNull().default(0),
    igstMinor: integer('igst_minor').notNull().default(0),
    /** The further contents of a tax invoice, as JSON (domain/purchase/tax.ts). */
    invoice: text('invoice'),
    /** From the profile when it was issued: a receipt does not change with the profile. */
    buyerName: text('buyer_name').notNull(),
    buyerEmail: text('buyer_email').notNull(),
    /** From the brand when it was issued, and what was sold. */
    sellerName: text('seller_name').notNull(),
    sellerEmail: text('seller_email').notNull(),
    line: text('line').notNull(),
    issuedAt: instant('issued_at').notNull(),
  },
  (table) => [
    uniqueIndex('receipts_series').on(table.series, table.number),
    index('receipts_issued').on(table.issuedAt),
    check('receipts_number', sql`${table.number} >= 1`),
    check('receipts_tax', taxFitsSupply(table)),
    check('receipts_tax_sign', sql`${table.cgstMinor} >= 0 AND ${table.igstMinor} >= 0`),
  ],
)

/**
 * What was refunded of a purchase that has a receipt: issueNotes (domain/purchase/core/credit-notes.ts) says which refunds get one.
 * Entries with amounts below zero cancelled a note whose refund failed afterwards; no new ones are made.
 */
export const creditNotes = sqliteTable(
  'credit_notes',
  {
    refundId: text('refund_id')
      .notNull()
      .references(() => refundsAndDisputes.id),
    isCancellation: flag('is_cancellation').notNull().default(false),
    purchaseId: text('purchase_id')
      .notNull()
      .references(() => receipts.purchaseId),
    series: text('series').notNull(),
    number: integer('number').notNull(),
    supply: text('supply', { enum: ['untaxed', 'intra_state', 'inter_state', 'export'] }).notNull(),
    amountMinor: integer('amount_minor').notNull(),
    cgstMinor: integer('cgst_minor').notNull(),
    sgstMinor: integer('sgst_minor').notNull(),
    igstMinor: integer('igst_minor').notNull(),
    issuedAt: instant('issued_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.refundId, table.isCancellation] }),
    uniqueIndex('credit_notes_series').on(table.series, table.number),
    index('credit_notes_purchase').on(table.purchaseId),
    index('credit_notes_issued').on(table.issuedAt),
    check('credit_notes_number', sql`${table.number} >= 1`),
    check('credit_notes_tax', taxFitsSupply(table)),
    check(
      'credit_notes_sign',
      sql`(${table.amountMinor} < 0) = ${table.isCancellation} AND ${table.cgstMinor} * ${table.amountMinor} >= 0 AND ${table.igstMinor} * ${table.amountMinor} >= 0`,
    ),
  ],
)

interface TaxColumns {
  supply: AnySQLiteColumn
  cgstMinor: AnySQLiteColumn
  sgstMinor: AnySQLiteColumn
  igstMinor: AnySQLiteColumn
}

/** Central and state tax are equal, and only within a state; integrated tax only between states. */
function taxFitsSupply({ supply, cgstMinor, sgstMinor, igstMinor }: TaxColumns) {
  return sql`${cgstMinor} = ${sgstMinor}
    AND (${cgstMinor} = 0 OR ${supply} = 'intra_state') AND (${igstMinor} = 0 OR ${supply} = 'inter_state')`
}

/**
 * Refunds to be sent, and sent: of captured money that is extra or does not match, and of what a buyer gave back. A payment has
 * one at most. A row is written, and its tokens reversed, before Razorpay is called.
 */
export const pendingRefunds = sqliteTable(
  'owed_refunds',
  {
    paymentId: ofPayment(),
    /** Part of the key: 0 for a whole payment, and 1 for a request; of earlier versions also more. `reason` says the same. */
    number: integer('number').notNull().default(0),
    /** Its own id. The keys of its refunds at Razorpay begin with it (core/refund-key.ts). Earlier versions made other ids. */
    id: text('id').notNull().default(''),
    purchaseId: ofPurchase(),
    reason: text('reason', {
      enum: ['excess', 'late', 'deleted_account', 'mismatch', 'asked_for'],
    }).notNull(),
    amountMinor: integer('amount_minor').notNull(),
    /** For a refund that a buyer requested, the unused tokens that it takes; 0 for money that granted none. */
    tokens: integer('tokens').notNull().default(0),
    /** The refunds and lost disputes that were deducted when the amount was set (JSON): they cover nothing of it. */
    deducted: text('before', { mode: 'json' }).$type<readonly string[]>().notNull().default([]),
    createdAt: instant('created_at').notNull(),
    dueAt: instant('due_at'),
    attempts: integer('attempts').notNull().default(0),
    refundId: text('refund_id'),
    doneAt: instant('done_at'),
    /** When its buyer was mailed that it waits, was rejected or is in review: at most once (notify-of-refunds.ts). */
    notifiedAt: instant('told_at'),
    /** When a buyer whose account was deleted was mailed that it was sent. Others hear of each refund. */
    endNotifiedAt: instant('end_told_at'),
  },
  (table) => [
    primaryKey({ columns: [table.paymentId, table.number] }),
    uniqueIndex('owed_refunds_once').on(table.paymentId),
    index('owed_refunds_due').on(table.dueAt),
    index('owed_refunds_purchase').on(table.purchaseId),
    index('owed_refunds_ended')
      .on(table.doneAt)
      .where(sql`"done_at" IS NOT NULL`),
    index('owed_refunds_open')
      .on(table.createdAt)
      .where(sql`"done_at" IS NULL`),
    wholeNumbers('owed_refunds_whole', table.amountMinor, table.tokens),
  ],
)

/** The source of the report that changed a purchase: a webhook, the buyer's browser, a job or an operator. */
export const purchaseCauses = sqliteTable(
  'purchase_causes',
  {
    id: text('id').primaryKey(),
    purchaseId: ofPurchase(),
    cause: text('cause').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [index('purchase_causes_purchase').on(table.purchaseId, table.createdAt)],
)

/** Every signed event from Razorpay, stored before it is settled. */
export const webhookEvents = sqliteTable(
  'webhook_events',
  {
    eventId: text('event_id').primaryKey(),
    event: text('event').notNull(),
    body: text('body').notNull(),
    receivedAt: instant('received_at').notNull(),
    processedAt: instant('processed_at'),
    outcome: text('outcome'),
    attempts: integer('attempts').notNull().default(0),
  },
  (table) => [
    index('webhook_events_open').on(table.processedAt, table.receivedAt),
    index('webhook_events_received').on(table.receivedAt),
  ],
)
