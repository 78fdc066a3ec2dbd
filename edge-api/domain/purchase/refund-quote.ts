import { sql } from 'drizzle-orm'
import { REFUND_DAYS } from '../../../src/contract/limits.ts'
import { PURCHASE } from '../../../src/contract/messages.ts'
import { PurchaseStatus } from '../../../src/contract/purchase.ts'
import {
  REFUND,
  REFUND_MIN_MINOR,
  type RefundQuote,
  REFUNDS_A_YEAR,
} from '../../../src/contract/refund.ts'
import { Currency } from '../../../src/contract/currency.ts'
import { z } from '../../../src/contract/zod.ts'
import type { Context } from '../context.ts'
import { Refusal } from '../refusal.ts'
import { days, toIso, toIsoOrNull } from '../time.ts'
import { itemOf } from './item.ts'
import { isDisputed, lostInDispute, owedUpTo, refunded } from './settling/expressions.ts'

/**
 * By this long after a payment, the fourteenth day after it is over in every time zone: the day of payment does not
 * count, and the last day counts whole (Regulation (EEC) 1182/71, article 3).
 */
export const REFUND_WINDOW_MS = days(REFUND_DAYS + 1)

const YEAR_MS = days(365)

const RefundRow = z.object({
  purchaseId: z.string(),
  sku: z.string(),
  kind: z.enum(['plan', 'token_pack']),
  status: PurchaseStatus,
  price: z.int(),
  currency: Currency,
  tokens: z.int(),
  paymentId: z.string().nullable(),
  grantedAt: z.int().nullable(),
  isDisputed: z.int().transform(Boolean),
  unusedTokens: z.int().nullable(),
  amountMinor: z.int().nullable(),
  refundedBeforeMinor: z.int().nullable(),
  /** Whether money of this payment is owed back and not yet returned. */
  isOwed: z.int().transform(Boolean),
  askedAt: z.int().nullable(),
  askedTokens: z.int().nullable(),
  askedMinor: z.int().nullable(),
  sentAt: z.int().nullable(),
  /** Whether tokens are left of a pack that was bought with this plan. */
  hasPacks: z.int().transform(Boolean),
  /** Refunds of any purchase that the buyer asked for without us in 365 days. */
  askedLately: z.int(),
})
export type RefundRow = z.output<typeof RefundRow>

/**
 * The refund of a user's purchase now: the price times the unused share of its tokens, to the nearest minor unit, but
 * never more than the part of the payment that is not returned, lost in a dispute or owed back. Nothing is refunded
 * while a dispute is open. A subquery that the quote and the refund share.
 */
export function refundAccount({ paymentMode, now }: Context, userId: string, purchaseId: string) {
  return sql`(
    SELECT *,
      min(price - refundedBeforeMinor, (2 * price * unusedTokens + tokens) / (2 * tokens)) AS amountMinor
    FROM (
      SELECT p.id AS purchaseId, p.sku, p.kind, p.status, p.amount_minor AS price, p.currency, p.tokens,
        g.payment_id AS paymentId, g.granted_at AS grantedAt,
        ${isDisputed(sql`m.id`)} AS isDisputed,
        lot.left AS unusedTokens,
        max(${refunded} + ${lostInDispute}, ${owedUpTo}) AS refundedBeforeMinor,
        ${lostInDispute} AS lostMinor,
        EXISTS (
          SELECT 1 FROM owed_refunds w WHERE w.payment_id = m.id AND w.done_at IS NULL
        ) AS isOwed,
        o.created_at AS askedAt, o.tokens AS askedTokens, o.amount_minor AS askedMinor,
        o.done_at AS sentAt,
        EXISTS (
          SELECT 1 FROM purchases k JOIN lots s ON s.purchase_id = k.id AND s.left > 0
          WHERE p.kind = 'plan' AND k.user_id = p.user_id AND k.kind = 'token_pack'
            AND k.paid_at >= p.paid_at AND k.payment_mode = p.payment_mode
        ) AS hasPacks,
        (
          SELECT count(*) FROM purchases k JOIN owed_refunds y ON y.purchase_id = k.id
          WHERE k.user_id = p.user_id AND k.kind IN ('plan', 'token_pack')
            AND k.paid_at > ${now - YEAR_MS - REFUND_WINDOW_MS} AND k.payment_mode = p.payment_mode
            AND y.reason = 'asked_for' AND y.created_at > ${now - YEAR_MS}
            AND NOT EXISTS (
              SELECT 1 FROM desk_acts a
              WHERE a.user_id = k.user_id AND a.kind = 'refund' AND a.subject = k.id
            )
        ) AS askedLately
      FROM purchases p
      LEFT JOIN grants g ON g.purchase_id = p.id
      LEFT JOIN lots lot ON lot.purchase_id = p.id
      LEFT JOIN payments m ON m.id = g.payment_id
      LEFT JOIN owed_refunds o ON o.payment_id = g.payment_id AND o.reason = 'asked_for'
      WHERE p.id = ${purchaseId} AND +p.user_id = ${userId} AND p.payment_mode = ${paymentMode}
    )
  )`
}

/** The row of `refundAccount`. `readRefund` parses it. */
export function selectRefund(ctx: Context, userId: string, purchaseId: string) {
  return ctx.db.all(sql`SELECT * FROM ${refundAccount(ctx, userId, purchaseId)}`)
}

/** NOT_FOUND when the purchase is not the user's. */
export function readRefund(rows: readonly unknown[]): RefundRow {
  const [row] = rows
  if (row === undefined) throw new Refusal('NOT_FOUND', PURCHASE.notFound)
  return RefundRow.parse(row)
}

/** The refund as its buyer may see it. NOTHING_TO_CHANGE with the reason when there is none. */
export function quoteOf(row: RefundRow, now: number): RefundQuote {
  const { grantedAt, paymentId, unusedTokens: unused, amountMinor, askedAt } = row
  if (grantedAt === null || paymentId === null || unused === null || amountMinor === null) {
    throw refuse(REFUND.notPaid)
  }
  if (askedAt === null) {
    if (row.isDisputed) throw refuse(REFUND.disputed)
    if (row.status === 'refunded') throw refuse(REFUND.refunded)
    if (grantedAt + REFUND_WINDOW_MS <= now) throw refuse(REFUND.over)
    if (unused === 0) throw refuse(REFUND.nothingUnused)
    if (amountMinor < REFUND_MIN_MINOR) throw refuse(REFUND.tooLittle)
    if (row.hasPacks) throw refuse(REFUND.packsFirst)
    if (row.askedLately >= REFUNDS_A_YEAR) throw refuse(REFUND.often)
  }
  return {
    purchaseId: row.purchaseId,
    item: itemOf(row).name,
    kind: row.kind,
    price: row.price,
    currency: row.currency,
    tokens: row.tokens,
    unusedTokens: row.askedTokens ?? unused,
    amount: row.askedMinor ?? amountMinor,
    until: toIso(grantedAt + days(REFUND_DAYS)),
    askedAt: toIsoOrNull(askedAt),
    sentAt: toIsoOrNull(row.sentAt),
  }
}

const refuse = (reason: string) => new Refusal('NOTHING_TO_CHANGE', reason)
