import { type SQL, sql } from 'drizzle-orm'
import { insertFrom } from '../../../db/insert-from.ts'
import { grants } from '../../../db/schema/purchases.ts'
import { ledger, shortfalls } from '../../../db/schema/tokens.ts'
import { hasActivePlan, hasLostPlans } from '../../account/plan.ts'
import type { Context } from '../../context.ts'
import { disputed, isLate, matches, promised, refunded, wentBack } from './expressions.ts'

/**
 * Grants a purchase once: for captured money on the purchase's own order that is not late, to the purchase's own user, unless the
 * account was deleted. A plan is not granted while the user has another active one, nor a pack that was ordered before the
 * plan was given back. A payment that is owed back never grants tokens. Returns a row to the one caller whose batch made the
 * grant.
 */
export function grantOnce(ctx: Context, purchaseId: string) {
  const { db, now } = ctx
  const grant = {
    purchaseId: sql`p.id`,
    paymentId: sql`m.id`,
    userId: sql`p.user_id`,
    tokens: sql`p.tokens`,
    paymentMode: sql`p.payment_mode`,
    grantedAt: now,
  }
  const source = sql`
    FROM purchases p JOIN payments m ON m.purchase_id = p.id
    WHERE p.id = ${purchaseId} AND m.rank = 3 AND ${matches} AND NOT ${isLate}
      AND NOT EXISTS (SELECT 1 FROM owed_refunds o WHERE o.payment_id = m.id)
      AND EXISTS (SELECT 1 FROM users u WHERE u.id = p.user_id AND u.deleted_at IS NULL)
      AND NOT (p.kind = 'plan' AND ${hasActivePlan(ctx, sql`p.user_id`)})
      AND NOT (p.kind = 'token_pack' AND ${hasLostPlans(ctx, sql`p.user_id`)})
    ORDER BY m.created_at, m.id
    LIMIT 1`
  const insert = insertFrom(grants, grant, source)
  // A second grant for the purchase conflicts on its key and does nothing.
  return db.all(sql`${insert} ON CONFLICT DO NOTHING RETURNING purchase_id`)
}

/** Enters the grant into the ledger, once: its `ref` is the purchase. Nothing without a grant. */
export function enterGrant({ db }: Context, purchaseId: string) {
  const entry = {
    ref: sql`'grant:' || g.purchase_id`,
    userId: sql`g.user_id`,
    kind: 'grant' as const,
    tokens: sql`g.tokens`,
    purchaseId: sql`g.purchase_id`,
    paymentMode: sql`g.payment_mode`,
    createdAt: sql`g.granted_at`,
  }
  const insert = insertFrom(ledger, entry, sql`FROM grants g WHERE g.purchase_id = ${purchaseId}`)
  return db.run(sql`${insert} ON CONFLICT (ref) DO NOTHING`)
}

/**
 * Takes back tokens for money that was refunded or disputed since the last reversal, but only those of this purchase
 * that are unused. The rest stays a shortfall: the user's other tokens do not pay for it. Gives back what was reversed for
 * a refund that failed or a dispute that was won.
 */
export function reverseTokens({ db, now }: Context, purchaseId: string) {
  const kind = sql`iif(a.reversed > a.due, 'restoration', 'reversal')`
  const entry = {
    ref: sql`${kind} || ':' || a.purchase_id || ':' || a.entries`,
    userId: sql`a.user_id`,
    kind,
    tokens: sql`iif(
      a.reversed > a.due, a.reversed - a.due, -min(a.due - a.reversed - a.shortfall, a.available)
    )`,
    purchaseId: sql`a.purchase_id`,
    paymentMode: sql`a.payment_mode`,
    createdAt: now,
  }
  const source = sql`
    FROM ${reversalAccount(purchaseId)} a
    WHERE a.reversed > a.due OR (a.due > a.reversed + a.shortfall AND a.available > 0)`
  return db.run(insertFrom(ledger, entry, source))
}

/** Stores what is due and could not be reversed. Runs after `reverseTokens`. */
export function storeShortfall({ db, now }: Context, purchaseId: string) {
  const shortfall = {
    purchaseId: sql`a.purchase_id`,
    tokens: sql`a.due - a.reversed`,
    updatedAt: now,
  }
  const source = sql`
    FROM ${reversalAccount(purchaseId)} a WHERE a.due - a.reversed <> a.shortfall`
  return db.run(sql`
    ${insertFrom(shortfalls, shortfall, source)}
    ON CONFLICT (purchase_id) DO UPDATE SET tokens = excluded.tokens, updated_at = excluded.updated_at
  `)
}

/** The tokens that `reverseTokens` would take if this much more money, in minor units, were given back. */
export function selectReversal({ db }: Context, purchaseId: string, moreMinor: number) {
  return db.all<{ tokens: number }>(sql`
    SELECT max(0, min(a.due - a.reversed - a.shortfall, a.available)) AS tokens
    FROM ${reversalAccount(purchaseId, moreMinor)} a`)
}

/**
 * One row for a granted purchase: `due` tokens by the share of the money that went back or is given back (rounded down),
 * `reversed` of them so far, `shortfall` found missing then, and its unused tokens, `available`. A refund that the buyer
 * asked for takes its tokens when it is asked for; the money that goes back for it takes none a second time.
 *
 * @param purchaseId an id, or `g.purchase_id` for a row for each granted purchase
 */
export function reversalAccount(purchaseId: string | SQL, moreMinor = 0) {
  return sql`(
    SELECT *, iif(
      gone >= price, tokens, min(tokens, asked + tokens * max(0, gone + promised - paid) / price)
    ) AS due
    FROM (
    SELECT g.purchase_id, g.user_id, g.payment_mode, p.tokens, p.amount_minor AS price,
      ${refunded} + ${disputed} AS gone,
      ${promised} + CAST(${moreMinor} AS INTEGER) AS promised,
      coalesce(o.tokens, 0) AS asked,
      coalesce(${wentBack}, 0) AS paid,
      (
        SELECT coalesce(-sum(l.tokens), 0) FROM ledger l
        WHERE l.purchase_id = g.purchase_id AND l.kind IN ('reversal', 'restoration')
      ) AS reversed,
      (
        SELECT count(*) FROM ledger l
        WHERE l.purchase_id = g.purchase_id AND l.kind IN ('reversal', 'restoration')
      ) AS entries,
      coalesce((SELECT s.tokens FROM shortfalls s WHERE s.purchase_id = g.purchase_id), 0) AS shortfall,
      coalesce(lot.left, 0) AS available
    FROM grants g
    JOIN purchases p ON p.id = g.purchase_id
    JOIN payments m ON m.id = g.payment_id
    LEFT JOIN lots lot ON lot.purchase_id = g.purchase_id
    LEFT JOIN owed_refunds o ON o.payment_id = g.payment_id AND o.reason = 'asked_for'
    WHERE g.purchase_id = ${purchaseId}
    )
  )`
}
