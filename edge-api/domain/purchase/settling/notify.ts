import { type SQL, sql } from 'drizzle-orm'
import { insertFrom } from '../../../db/insert-from.ts'
import { accountEvents } from '../../../db/schema/records.ts'
import type { Context } from '../../context.ts'
import { enqueueMailFrom, type NewMailFrom } from '../../mail/outbox.ts'
import type { MailKind } from '../../mail/render.ts'
import type { Facts } from '../../ports/payments.ts'
import { describeSold, itemOf } from '../item.ts'
import type { Purchase } from '../find-purchase.ts'
import { beganBefore } from './expressions.ts'

/*
 * Each statement writes only about rows that this batch made (`= now`): facts that arrive again years later, when the outbox
 * and the history have long been purged, notify nobody. An account that was just given a grant cannot be a deleted one.
 */

/** The notification about the grant that this batch made. */
export function notifyPaid({ db, now }: Context, { id, sku }: Purchase) {
  const event = {
    id: sql`'paid:' || g.purchase_id`,
    userId: sql`g.user_id`,
    kind: 'paid',
    detail: sql`json_object(
      'item', ${itemOf({ sku }).name}, 'tokens', p.tokens, 'amount', p.amount_minor, 'currency', p.currency
    )`,
    createdAt: now,
  }
  const source = sql`
    FROM grants g
    JOIN purchases p ON p.id = g.purchase_id
    WHERE g.purchase_id = ${id} AND g.granted_at = ${now}`
  return db.run(sql`${insertFrom(accountEvents, event, source)} ON CONFLICT (id) DO NOTHING`)
}

/** The notification about each refund and dispute that this batch stored, unless it is undone already. */
export function notifyReversed({ db, now }: Context, { id, sku }: Purchase) {
  const event = {
    id: sql`t.kind || ':' || t.id`,
    userId: sql`p.user_id`,
    kind: sql`iif(t.kind = 'refund', 'refunded', 'disputed')`,
    detail: sql`json_object(
      'item', ${itemOf({ sku }).name}, 'amount', t.amount_minor, 'currency', t.currency
    )`,
    createdAt: now,
  }
  const source = sql`
    FROM refunds_and_disputes t
    JOIN payments m ON m.id = t.payment_id
    JOIN purchases p ON p.id = m.purchase_id
    JOIN users u ON u.id = p.user_id
    WHERE p.id = ${id} AND t.created_at = ${now} AND t.state IN ('open', 'final')
      AND u.deleted_at IS NULL`
  return db.run(sql`${insertFrom(accountEvents, event, source)} ON CONFLICT (id) DO NOTHING`)
}

/** The receipt of the grant that this batch made. */
export function mailReceipt(ctx: Context, purchase: Purchase) {
  const { id, tokens } = purchase
  return mailBuyer(ctx, purchase, {
    id: sql`'mail-receipt:' || g.purchase_id`,
    kind: 'receipt',
    payload: {
      series: sql`r.series`,
      number: sql`r.number`,
      purchaseId: id,
      item: describeSold(purchase),
      tokens,
      total: priceOf(purchase),
    },
    of: sql`grants g JOIN receipts r ON r.purchase_id = g.purchase_id`,
    when: sql`g.purchase_id = ${id} AND g.granted_at = ${ctx.now}`,
  })
}

/** Each refund that this batch stored, with its amount. */
export function mailRefunds(ctx: Context, purchase: Purchase) {
  return mailBuyer(ctx, purchase, {
    id: sql`'mail-refund:' || t.id`,
    kind: 'refund',
    payload: {
      item: itemOf(purchase).name,
      refunded: sql`json_object('amountMinor', t.amount_minor, 'currency', t.currency)`,
    },
    of: sql`refunds_and_disputes t JOIN payments m ON m.id = t.payment_id`,
    when: sql`m.purchase_id = ${purchase.id} AND t.kind = 'refund' AND t.state <> 'undone'
      AND t.created_at = ${ctx.now}`,
  })
}

/** The acknowledgement of a refund that the buyer asked for with this batch: the sum and the time. */
export function mailAskedRefund(ctx: Context, purchase: Purchase) {
  return mailBuyer(ctx, purchase, {
    id: sql`'mail-refund-asked:' || o.payment_id`,
    kind: 'refund_asked',
    payload: {
      ...about(purchase),
      refund: owedMoney,
      tokens: sql`o.tokens`,
      askedAt: sql`o.created_at`,
    },
    of: owed,
    when: sql`${isAskedOf(purchase)} AND o.created_at = ${ctx.now}`,
  })
}

/**
 * Each refund that we owe and that failed with this batch. An earlier refund of money that granted tokens was sent by somebody
 * else: its failure is not ours. Extra money is owed whole, so each of its refunds counts.
 */
export function mailFailedRefunds(ctx: Context, purchase: Purchase) {
  return mailBuyer(ctx, purchase, {
    id: sql`'mail-refund-failed:' || t.id`,
    kind: 'refund_failed',
    payload: { ...about(purchase), refund: owedMoney },
    of: sql`${owed} JOIN refunds_and_disputes t ON t.payment_id = o.payment_id`,
    when: sql`m.purchase_id = ${purchase.id} AND t.kind = 'refund' AND t.state = 'undone'
      AND t.updated_at = ${ctx.now} AND (o.number = 0 OR NOT ${beganBefore(sql`o`)})
      AND o.done_at IS NULL AND o.reason <> 'mismatch'`,
  })
}

/** Each credit note that this batch cancelled, because its refund came back. */
export function mailCancelledNotes(ctx: Context, purchase: Purchase) {
  const numbered = (note: SQL) =>
    sql`json_object('series', ${note}.series, 'number', ${note}.number)`
  return mailBuyer(ctx, purchase, {
    id: sql`'mail-note-cancelled:' || c.refund_id`,
    kind: 'credit_note_cancelled',
    payload: {
      ...about(purchase),
      note: numbered(sql`n`),
      cancellation: numbered(sql`c`),
      refund: sql`json_object('amountMinor', n.amount_minor, 'currency', ${purchase.currency})`,
    },
    of: sql`credit_notes c JOIN credit_notes n ON n.refund_id = c.refund_id AND NOT n.is_cancellation`,
    when: sql`c.purchase_id = ${purchase.id} AND c.is_cancellation AND c.issued_at = ${ctx.now}`,
  })
}

/**
 * The refund that the buyer asked for and Razorpay now refuses: one mail, however often it refuses. The mail is deleted after
 * thirty days; the job has tried more than ninety times by then.
 */
export function mailHeldRefund(ctx: Context, purchase: Purchase) {
  return mailBuyer(ctx, purchase, {
    id: sql`'mail-refund-held:' || o.payment_id`,
    kind: 'refund_failed',
    payload: { ...about(purchase), refund: owedMoney },
    of: owed,
    when: sql`${isAskedOf(purchase)} AND o.done_at IS NULL AND o.attempts < 90`,
  })
}

/** Mails the user that a person reviews the payment that does not match its order. */
export function mailReviews(ctx: Context, purchase: Purchase) {
  return mailBuyer(ctx, purchase, {
    id: sql`'mail-review:' || m.id`,
    kind: 'payment_in_review',
    payload: { ...about(purchase), ordered: priceOf(purchase), paid },
    of: owed,
    when: sql`o.purchase_id = ${purchase.id} AND o.reason = 'mismatch' AND o.created_at = ${ctx.now}
      AND o.done_at IS NULL`,
  })
}

const about = (purchase: Purchase) => ({
  item: itemOf(purchase).name,
  purchaseId: purchase.id,
  receipt: sql`json((
    SELECT json_object('series', b.series, 'number', b.number) FROM receipts b WHERE b.purchase_id = ${purchase.id}
  ))`,
})

const owed = sql`owed_refunds o JOIN payments m ON m.id = o.payment_id`

const owedMoney = sql`json_object('amountMinor', o.amount_minor, 'currency', m.currency)`

const isAskedOf = ({ id }: Purchase) => sql`o.purchase_id = ${id} AND o.reason = 'asked_for'`

interface BuyersMail<Kind extends MailKind> extends Pick<NewMailFrom<Kind>, 'kind' | 'payload'> {
  /** Made from the cause: the mail exists once. */
  id: SQL
  /** The tables of its causes. */
  of: SQL
  when: SQL
}

/** A mail to the buyer of a purchase for each cause, unless the account was deleted. */
function mailBuyer<Kind extends MailKind>(
  ctx: Context,
  { userId }: Purchase,
  { of, when, ...mail }: BuyersMail<Kind>,
) {
  return enqueueMailFrom(
    ctx,
    { ...mail, to: sql`u.email`, userId },
    sql`FROM ${of} JOIN users u ON u.id = ${userId} WHERE ${when} AND u.deleted_at IS NULL`,
  )
}

/** Mails the address that paid for a deleted account that the money goes back. The account has no address any more. */
export function mailPayerOfDeleted(ctx: Context, purchase: Purchase, { payments }: Facts) {
  return enqueueMailFrom(
    ctx,
    {
      id: sql`'mail-deleted:' || m.id`,
      kind: 'payment_after_deletion',
      payload: { paymentId: sql`m.id`, item: itemOf(purchase).name, paid },
      to: sql`f.value ->> 'payerEmail'`,
      userId: null,
    },
    sql`FROM ${owed}
      JOIN users u ON u.id = ${purchase.userId}
      JOIN json_each(${JSON.stringify(payments)}) f ON f.value ->> 'paymentId' = m.id
      WHERE o.purchase_id = ${purchase.id} AND o.created_at = ${ctx.now} AND o.done_at IS NULL
        AND u.deleted_at IS NOT NULL AND f.value ->> 'payerEmail' IS NOT NULL`,
  )
}

/**
 * Mails the team every step of a dispute, because it must be answered in time. Returns the ids of the mails that were
 * written.
 */
export function mailDisputes(ctx: Context, purchase: Purchase) {
  return enqueueMailFrom(
    ctx,
    {
      id: sql`'mail-dispute:' || t.id || ':' || coalesce(t.phase, '') || ':' || t.state || ':' || coalesce(t.respond_by, '')`,
      kind: 'dispute_for_team',
      payload: {
        purchaseId: purchase.id,
        paymentId: sql`m.id`,
        disputeId: sql`t.id`,
        phase: sql`coalesce(t.phase, '')`,
        state: sql`t.state`,
        disputed: sql`json_object('amountMinor', t.amount_minor, 'currency', t.currency)`,
        paid,
        respondBy: sql`t.respond_by`,
      },
      to: ctx.brand.supportEmail,
      userId: null,
    },
    sql`FROM refunds_and_disputes t JOIN payments m ON m.id = t.payment_id
      WHERE m.purchase_id = ${purchase.id} AND t.kind = 'dispute' AND t.updated_at = ${ctx.now}`,
  )
}

const priceOf = ({ amountMinor, currency }: Purchase) => ({ amountMinor, currency })

const paid = sql`json_object('amountMinor', m.amount_minor, 'currency', m.currency)`
