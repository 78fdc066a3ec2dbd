import { and, desc, eq, not, or, sql, type SQL } from 'drizzle-orm'
import type { Currency, Item } from '../../../src/contract/catalogue.ts'
import { PURCHASE, SERVER } from '../../../src/contract/messages.ts'
import { orderKeys, purchases } from '../../db/schema/purchases.ts'
import { type Account, accountQuery, requireAccount } from '../account/account-query.ts'
import { hasActivePlan } from '../account/plan.ts'
import { subscriptionOf } from '../account/to-user.ts'
import type { Context } from '../context.ts'
import { Refusal } from '../refusal.ts'
import type { Claims } from '../account/bearer.ts'
import { minutes } from '../time.ts'
import { nextCheckAfter } from './check-schedule.ts'
import type { Purchase } from './purchase-row.ts'

/** Somebody who asks for the same again within this time gets the order they have. */
const REUSE_MS = minutes(15)

export interface Wish {
  claims: Claims
  item: Item
  currency: Currency
  idempotencyKey: string | null
  channel: Purchase['channel']
}

/**
 * The purchase to be paid, in one round trip: the one with this idempotency key, or the caller's open
 * one of the same thing, or a new one at the catalogue's price. Decided by one statement, so that two
 * tabs at once share one. PLAN_ALREADY_ACTIVE, PLAN_REQUIRED, IDEMPOTENCY_KEY_REUSED,
 * and NOT_CONFIGURED before anything is asked while nothing could be paid.
 */
export async function openPurchase(ctx: Context, wish: Wish): Promise<Purchase> {
  if (ctx.payments.keyId === '') {
    throw new Refusal('NOT_CONFIGURED', PURCHASE.providerUnavailable, { retryAfterSeconds: 60 })
  }
  const key = wish.idempotencyKey ?? ctx.newId('idk')
  const isNamed = sql<number>`${purchases.id} = ${purchaseOfKey(wish, key)}`
  const [accounts, , , rows] = await ctx.db.batch([
    accountQuery(ctx, wish.claims),
    insertUnlessOpen(ctx, wish, key),
    keepKey(ctx, wish, key),
    ctx.db
      .select({ purchase: purchases, isNamed })
      .from(purchases)
      .where(and(eq(purchases.userId, wish.claims.userId), or(isNamed, isReusable(ctx, wish))))
      .orderBy(desc(isNamed), desc(purchases.createdAt))
      .limit(1),
  ])
  const account = requireAccount(accounts)
  const [found] = rows
  if (found?.isNamed) assertSame(ctx, found.purchase, wish)
  else assertMayBuy(ctx, account, wish.item)
  if (found === undefined) throw new Error('the database opened no purchase')
  return found.purchase
}

function assertSame({ paymentMode }: Context, purchase: Purchase, { item, currency }: Wish): void {
  const { sku } = purchase
  if (sku === item.sku && purchase.currency === currency && purchase.paymentMode === paymentMode)
    return
  throw new Refusal('IDEMPOTENCY_KEY_REUSED', SERVER.keyReused)
}

function assertMayBuy(ctx: Context, account: Account, { kind }: Item): void {
  const isActive = subscriptionOf(account, ctx.now).status === 'active'
  if (kind === 'plan' && isActive) throw new Refusal('PLAN_ALREADY_ACTIVE', PURCHASE.planActive)
  if (kind === 'token_pack' && !isActive) throw new Refusal('PLAN_REQUIRED', PURCHASE.planRequired)
}

function insertUnlessOpen(ctx: Context, wish: Wish, key: string) {
  const { item } = wish
  const row = newRow(ctx, wish, key)
  return ctx.db.run(sql`
    INSERT INTO ${purchases} (id, user_id, sku, kind, tokens, access_days, amount_minor, currency,
      payment_mode, channel, idempotency_key, created_at, updated_at, next_check_at, status)
    SELECT ${row.id}, u.id, ${item.sku}, ${item.kind}, ${item.tokens}, ${item.accessDays},
      ${row.amountMinor}, ${wish.currency}, ${ctx.paymentMode}, ${wish.channel}, ${key}, ${ctx.now},
      ${ctx.now}, ${row.nextCheckAt}, 'creating'
    FROM users u JOIN sessions s ON s.user_id = u.id
    WHERE ${mayBuy(ctx, wish)} AND ${purchaseOfKey(wish, key)} IS NULL
      AND NOT EXISTS (
        SELECT 1 FROM ${purchases} WHERE ${purchases.userId} = u.id AND ${isReusable(ctx, wish)}
      )
    ON CONFLICT (user_id, idempotency_key) DO NOTHING
  `)
}

/** From here on the key names the purchase it made or found. A key that names one already keeps it. */
function keepKey(ctx: Context, wish: Wish, key: string) {
  return ctx.db.run(sql`
    INSERT INTO ${orderKeys} (user_id, key, purchase_id, created_at)
    SELECT u.id, ${key}, ${purchases.id}, ${ctx.now}
    FROM users u JOIN sessions s ON s.user_id = u.id JOIN ${purchases} ON ${purchases.userId} = u.id
    WHERE ${mayBuy(ctx, wish)} AND ${isReusable(ctx, wish)}
    ORDER BY ${purchases.createdAt} DESC
    LIMIT 1
    ON CONFLICT (user_id, key) DO NOTHING
  `)
}

function purchaseOfKey({ claims }: Wish, key: string): SQL {
  return sql`(
    SELECT k.purchase_id FROM ${orderKeys} k WHERE k.user_id = ${claims.userId} AND k.key = ${key}
  )`
}

/** Of user `u` in session `s`: signed in, and allowed this item. */
function mayBuy(ctx: Context, { claims, item }: Wish): SQL {
  const isActive = hasActivePlan(ctx, sql`u.id`)
  const planRule = item.kind === 'plan' ? not(isActive) : isActive
  return sql`u.id = ${claims.userId} AND u.deleted_at IS NULL
    AND s.id = ${claims.sessionId} AND s.ended_at IS NULL AND s.expires_at > ${ctx.now}
    AND ${planRule}`
}

function newRow(ctx: Context, { item, currency }: Wish, key: string) {
  return {
    id: ctx.newId('pur'),
    amountMinor: item.priceMinor[currency],
    nextCheckAt: nextCheckAfter(ctx.now, ctx.now),
    key,
  }
}

/** An unpaid purchase of the same thing at today's price, young enough to go on with. */
function isReusable(ctx: Context, { item, currency }: Wish): SQL {
  return sql`(
    ${purchases.sku} = ${item.sku} AND ${purchases.currency} = ${currency}
    AND ${purchases.amountMinor} = ${item.priceMinor[currency]}
    AND ${purchases.tokens} = ${item.tokens} AND ${purchases.paymentMode} = ${ctx.paymentMode}
    AND ${purchases.status} IN ('creating', 'open', 'attempted')
    AND ${purchases.createdAt} > ${ctx.now - REUSE_MS}
  )`
}
