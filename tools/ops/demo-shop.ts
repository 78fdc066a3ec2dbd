import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { UsageMode } from '../../src/contract/usage.ts'
import { acceptedTerms } from '../../edge-api/domain/account/terms.ts'
import type { Context, Claims } from '../../edge-api/domain/context.ts'
import { idMaker } from '../../edge-api/domain/new-id.ts'
import { purchases } from '../../edge-api/db/schema/purchases.ts'
import { fetchFacts } from '../../edge-api/domain/purchase/ask-razorpay.ts'
import { createOrder, createTokenOrder } from '../../edge-api/domain/purchase/create-order.ts'
import { purchasesWhere, requirePurchase } from '../../edge-api/domain/purchase/purchase.ts'
import { settle } from '../../edge-api/domain/purchase/settle.ts'
import { receiveWebhook } from '../../edge-api/domain/purchase/webhooks.ts'
import { days, seconds } from '../../edge-api/domain/time.ts'
import { useTokens } from '../../edge-api/domain/tokens/use-tokens.ts'
import type { PastProvider } from './demo-provider.ts'

/** A shop in a past month, on the local database and beside the local emulator. */
export interface Shop {
  /** The end of the month: now. */
  ctx: Context
  provider: PastProvider
  /** From this instant on no webhook arrives, milliseconds UTC; Infinity when all do. */
  silentFrom: number
}

/** A customer's story: yields the time at which it continues, and gets the services of that time. */
export type Story = AsyncGenerator<number, void, Context>

/** Plays all stories in order of time, with their webhooks, and hands the money over to the local emulator. */
export async function play(shop: Shop, stories: readonly Story[]): Promise<void> {
  const { ctx: now, provider } = shop
  let waiting: { at: number; story: Story }[] = []
  const goOn = async (story: Story, ctx: Context) => {
    const { done, value } = await story.next({ ...ctx, payments: provider.gateway })
    if (done !== true) waiting.push({ at: value, story })
  }
  for (const story of stories) await goOn(story, now)
  for (;;) {
    const next = waiting.toSorted((one, other) => one.at - other.at)[0]
    if (next === undefined) break
    waiting = waiting.filter((one) => one !== next)
    const { at, story } = next
    const ctx = ctxAt(now, at)
    await hear(shop, ctx, at)
    await goOn(story, ctx)
    await hear(shop, ctx, at + seconds(1))
    // The running site's jobs must not ask about a purchase before its story is over, nor send its mails today.
    await ctx.db.batch([
      ctx.db.run(sql`UPDATE purchases SET next_check_at = NULL
        WHERE next_check_at IS NOT NULL AND user_id IN (${DEMO_USERS})`),
      ctx.db.run(sql`UPDATE mails SET sent_at = created_at, due_at = NULL
        WHERE due_at IS NOT NULL AND created_at <= ${at}`),
    ])
  }
  await provider.moveTo(now.now)
  await provider.handOver()
}

/** The accounts of the demo. */
export const DEMO_USERS = sql`SELECT id FROM users WHERE email LIKE '%@demo.example'`

/** Receives the webhooks that are sent before an instant. */
async function hear({ provider, silentFrom }: Shop, ctx: Context, until: number): Promise<void> {
  const deliveries = await provider.moveTo(until)
  if (ctx.now >= silentFrom) return
  for (const delivery of deliveries) {
    await receiveWebhook({ ...ctx, payments: provider.gateway }, delivery)
  }
}

/** The same services at another instant. */
function ctxAt(ctx: Context, at: number): Context {
  return { ...ctx, now: at, clock: () => at, newId: idMaker(() => at, ctx.randomBytes) }
}

export interface Customer {
  claims: Claims
  email: string
  currency: 'USD' | 'INR'
}

interface NewCustomer {
  first: string
  last: string
  username: string
  isVerified: boolean
  ipPrefix?: string
  /** How long its session lasts. */
  sessionDays?: number
  passwordHash?: string
}

/** An account with a session. Without a hash nobody knows a password for it. */
export async function register(ctx: Context, person: NewCustomer): Promise<Customer> {
  const { db, now } = ctx
  const { first, last, username, isVerified, ipPrefix = '198.51.100.0/24' } = person
  const { sessionDays = 2, passwordHash = '' } = person
  const claims = { userId: ctx.newId('usr'), sessionId: ctx.newId('ses') }
  const email = `${username}@demo.example`
  const currency = first.length % 2 === 0 && ctx.brand.seller.tax === null ? 'INR' : 'USD'
  const { termsVersion: version } = acceptedTerms(now)
  await db.batch([
    db.run(sql`INSERT INTO users (id, username, username_key, email, email_key, password_hash,
      first_name, last_name, currency, email_verified_at, created_at, updated_at, terms_version,
      terms_accepted_at, terms_told_version, terms_told_at)
      VALUES (${claims.userId}, ${username}, ${username}, ${email}, ${email}, ${passwordHash}, ${first}, ${last},
        ${currency}, ${isVerified ? now : null}, ${now}, ${now}, ${version}, ${now}, ${version}, ${now})`),
    db.run(sql`INSERT INTO sessions (id, user_id, kind, device, ip_prefix, is_remembered, created_at,
      last_used_at, expires_at)
      VALUES (${claims.sessionId}, ${claims.userId}, 'browser', 'Chrome on Windows', ${ipPrefix}, 0,
        ${now}, ${now}, ${now + days(sessionDays)})`),
    ...['registered', 'signed_in'].map((kind) =>
      db.run(sql`INSERT INTO account_events (id, user_id, kind, device, ip_prefix, created_at)
        VALUES (${ctx.newId('evt')}, ${claims.userId}, ${kind}, 'Chrome on Windows', ${ipPrefix}, ${now})`),
    ),
  ])
  return { claims, email, currency }
}

const NO_INPUT = { params: {}, query: {}, idempotencyKey: null } as const

/** Orders a plan; returns the id of the order. */
export async function orderPlan(ctx: Context, { claims, currency }: Customer): Promise<string> {
  const body = { planType: 'pro', preferredCurrency: currency }
  return (await createOrder(ctx, { ...NO_INPUT, claims, body })).order.id
}

/** Orders a pack of tokens; returns the id of the order. */
export async function orderTokens(ctx: Context, { claims, currency }: Customer): Promise<string> {
  return (await createTokenOrder(ctx, { ...NO_INPUT, claims, body: { currency } })).order.id
}

interface Use {
  amount: number
  sessionId?: string
  mode?: UsageMode
}

/** Uses tokens of the plan, as the app reports it. */
export async function spend(ctx: Context, { claims }: Customer, body: Use): Promise<void> {
  await useTokens(ctx, { ...NO_INPUT, claims, body })
}

const Paid = z.object({ razorpay_payment_id: z.string() })

/** Pays an order at the provider; returns the id of the payment. */
export async function pay(
  shop: Shop,
  orderId: string,
  { email, currency }: Customer,
  outcome: 'success' | 'failure' = 'success',
): Promise<string> {
  const method = currency === 'INR' ? 'upi' : 'card'
  const body = { order_id: orderId, email, outcome, method }
  return Paid.parse(await shop.provider.control('/payments', body)).razorpay_payment_id
}

/** Settles what the provider says about an order, as the job of each minute does when no webhook came. */
export async function reconcileOrder(ctx: Context, orderId: string): Promise<void> {
  const [rows] = await ctx.db.batch([purchasesWhere(ctx, eq(purchases.razorpayOrderId, orderId))])
  const purchase = requirePurchase(rows)
  const facts = await fetchFacts(ctx, purchase)
  await settle(ctx, purchase, facts, { cause: 'reconcile' })
}

interface Ticket {
  from: string
  query: string
  severity?: 'low' | 'high'
  isFeatureRequest?: boolean
}

/** Writes a ticket, as the form of the support page does; returns its id. */
export async function writeTicket(ctx: Context, ticket: Ticket): Promise<string> {
  const { from, query, severity = 'low', isFeatureRequest = false } = ticket
  const id = ctx.newId('tkt')
  await ctx.db.batch([
    ctx.db
      .run(sql`INSERT INTO support_tickets (id, email, severity, is_feature_request, query, created_at)
      VALUES (${id}, ${from}, ${severity}, ${isFeatureRequest ? 1 : 0}, ${query}, ${ctx.now})`),
  ])
  return id
}
