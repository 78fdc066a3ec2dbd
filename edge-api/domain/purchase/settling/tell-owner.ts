import { sql } from 'drizzle-orm'
import type { Context } from '../../context.ts'
import { mailRow } from '../../mail/outbox.ts'
import { itemOf } from '../item.ts'
import {
  receiptMessage,
  refundMessage,
  reviewForTeamMessage,
  reviewMessage,
} from '../purchase-messages.ts'
import type { Purchase } from '../purchase-row.ts'

/** Filled in by the database, which alone knows what stands there. Of no letters, so nothing escapes it. */
const BLANK = '\uE000'
const SECOND_BLANK = '\uE001'

/*
 * Each of these writes only in the batch that made what it tells of (`= now`): a replay years later,
 * when the outbox was long emptied, tells nothing again.
 */

/** Tells the owner's bell of the grant that this batch made. */
export function recordPaid({ db, now }: Context, { id, sku }: Purchase) {
  return db.run(sql`
    INSERT INTO account_events (id, user_id, kind, detail, created_at)
    SELECT 'paid:' || g.purchase_id, g.user_id, 'paid',
      json_object('item', ${itemOf({ sku }).name}, 'tokens', p.tokens, 'amount', p.amount_minor, 'currency', p.currency),
      g.granted_at
    FROM grants g
    JOIN purchases p ON p.id = g.purchase_id
    JOIN users u ON u.id = g.user_id
    WHERE g.purchase_id = ${id} AND g.granted_at = ${now} AND u.deleted_at IS NULL
    ON CONFLICT (id) DO NOTHING
  `)
}

/** Tells the owner's bell of each refund and dispute that this batch noted, unless it is undone already. */
export function recordTakebacks({ db, now }: Context, { id, sku }: Purchase) {
  return db.run(sql`
    INSERT INTO account_events (id, user_id, kind, detail, created_at)
    SELECT t.kind || ':' || t.id, p.user_id, iif(t.kind = 'refund', 'refunded', 'disputed'),
      json_object('item', ${itemOf({ sku }).name}, 'amount', t.amount_minor, 'currency', m.currency), ${now}
    FROM takebacks t
    JOIN payments m ON m.id = t.payment_id
    JOIN purchases p ON p.id = m.purchase_id
    JOIN users u ON u.id = p.user_id
    WHERE p.id = ${id} AND t.created_at = ${now} AND t.state <> 'undone'
      AND u.deleted_at IS NULL
    ON CONFLICT (id) DO NOTHING
  `)
}

/** Mails the receipt of the grant that this batch made, unless its owner wants no receipts by mail. */
export function mailReceipt(ctx: Context, purchase: Purchase) {
  const item = itemOf(purchase)
  const message = receiptMessage(ctx, { purchase, item, number: BLANK })
  const mail = mailRow(ctx, message, { to: '', userId: purchase.userId })
  return ctx.db.run(sql`
    INSERT INTO mails (id, user_id, kind, to_address, subject, text, html, has_secret, created_at, due_at)
    SELECT 'mail-receipt:' || g.purchase_id, u.id, ${mail.kind}, u.email, ${mail.subject},
      replace(${mail.text}, ${BLANK}, printf('R-%06d', r.number)),
      replace(${mail.html}, ${BLANK}, printf('R-%06d', r.number)), 0, ${ctx.now}, ${ctx.now}
    FROM grants g
    JOIN receipts r ON r.purchase_id = g.purchase_id
    JOIN users u ON u.id = g.user_id
    WHERE g.purchase_id = ${purchase.id} AND g.granted_at = ${ctx.now}
      AND u.deleted_at IS NULL AND u.mail_receipts = 1
    ON CONFLICT (id) DO NOTHING
  `)
}

/** Mails each refund that this batch noted, with its amount; those who want no receipts by mail get none. */
export function mailRefunds(ctx: Context, purchase: Purchase) {
  const item = itemOf(purchase)
  const message = refundMessage(ctx, { item, amount: BLANK })
  const mail = mailRow(ctx, message, { to: '', userId: purchase.userId })
  const amount = sql`printf('%s %d.%02d', m.currency, t.amount_minor / 100, t.amount_minor % 100)`
  return ctx.db.run(sql`
    INSERT INTO mails (id, user_id, kind, to_address, subject, text, html, has_secret, created_at, due_at)
    SELECT 'mail-refund:' || t.id, u.id, ${mail.kind}, u.email, ${mail.subject},
      replace(${mail.text}, ${BLANK}, ${amount}), replace(${mail.html}, ${BLANK}, ${amount}),
      0, ${ctx.now}, ${ctx.now}
    FROM takebacks t
    JOIN payments m ON m.id = t.payment_id
    JOIN users u ON u.id = ${purchase.userId}
    WHERE m.purchase_id = ${purchase.id} AND t.kind = 'refund' AND t.state <> 'undone'
      AND t.created_at = ${ctx.now} AND u.deleted_at IS NULL AND u.mail_receipts = 1
    ON CONFLICT (id) DO NOTHING
  `)
}

/** Money that does not match its order: its owner is told that a human looks at it. */
export function mailReviews(ctx: Context, purchase: Purchase) {
  const message = reviewMessage(ctx, { purchase, item: itemOf(purchase), paid: BLANK })
  const mail = mailRow(ctx, message, { to: '', userId: purchase.userId })
  return ctx.db.run(sql`
    INSERT INTO mails (id, user_id, kind, to_address, subject, text, html, has_secret, created_at, due_at)
    SELECT 'mail-review:' || m.id, u.id, ${mail.kind}, u.email, ${mail.subject},
      replace(${mail.text}, ${BLANK}, ${paid}), replace(${mail.html}, ${BLANK}, ${paid}),
      0, ${ctx.now}, ${ctx.now}
    FROM ${newlyInReview(ctx, purchase)} JOIN users u ON u.id = ${purchase.userId}
    WHERE u.deleted_at IS NULL
    ON CONFLICT (id) DO NOTHING
  `)
}

/** And the team is told which payment of which purchase. */
export function mailReviewsToTeam(ctx: Context, purchase: Purchase) {
  const message = reviewForTeamMessage(purchase, { paid: BLANK, paymentId: SECOND_BLANK })
  const mail = mailRow(ctx, message, { to: ctx.brand.supportEmail, userId: null })
  const fill = (text: string) =>
    sql`replace(replace(${text}, ${BLANK}, ${paid}), ${SECOND_BLANK}, m.id)`
  return ctx.db.run(sql`
    INSERT INTO mails (id, user_id, kind, to_address, subject, text, html, has_secret, created_at, due_at)
    SELECT 'mail-review-team:' || m.id, NULL, ${mail.kind}, ${mail.toAddress}, ${mail.subject},
      ${fill(mail.text)}, ${fill(mail.html)}, 0, ${ctx.now}, ${ctx.now}
    FROM ${newlyInReview(ctx, purchase)}
    WHERE true
    ON CONFLICT (id) DO NOTHING
  `)
}

const paid = sql`printf('%s %d.%02d', m.currency, m.amount_minor / 100, m.amount_minor % 100)`

function newlyInReview({ now }: Context, { id }: Purchase) {
  return sql`(
    SELECT m.* FROM owed_refunds o JOIN payments m ON m.id = o.payment_id
    WHERE o.purchase_id = ${id} AND o.reason = 'mismatch' AND o.created_at = ${now}
      AND o.done_at IS NULL
  ) m`
}
