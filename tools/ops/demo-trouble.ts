import { sql } from 'drizzle-orm'
import type { Context } from '../../edge-api/domain/context.ts'
import { receiptNumber } from '../../edge-api/domain/format-money.ts'
import { alertOfSilence } from '../../edge-api/domain/purchase/webhook-jobs.ts'
import { createPaymentLink } from '../../edge-api/domain/purchase/payment-link.ts'
import { sendPendingRefunds } from '../../edge-api/domain/purchase/send-pending-refunds.ts'
import { days, hours, minutes } from '../../edge-api/domain/time.ts'
import {
  type Customer,
  orderPlan,
  pay,
  reconcileOrder,
  register,
  type Shop,
  spend,
  type Story,
  writeTicket,
} from './demo-shop.ts'

/** How long ago the provider stopped sending webhooks. */
export const SILENT_MS = days(3)

/** The troubles, for somebody who has only the admin pages and the runbook. The fifth is also `silentFrom` of the shop. */
const TROUBLES: Record<string, (shop: Shop) => Story> = {
  /** The order had expired, its last check was over, and no webhook reported the money. */
  'Paid, and no tokens': async function* (shop) {
    const { now } = shop.ctx
    let ctx = yield now - days(5) - hours(4)
    const customer = await person(ctx, 'Tara', 'Lind')
    const orderId = await orderPlan(ctx, customer)
    ctx = yield now - hours(26)
    await reconcileOrder(ctx, orderId)
    ctx = yield now - minutes(100)
    const paymentId = await pay(shop, orderId, customer)
    const query = `I paid for Pro more than an hour ago (${paymentId}) and still have no tokens.`
    await writeTicket(ctx, { from: customer.email, query, severity: 'high' })
  },

  /** The order and a payment link of the same purchase were both paid; the next minute's job sends one of them back. */
  'Charged twice': async function* ({ ctx: { now }, provider }) {
    let ctx = yield now - minutes(55)
    const customer = await person(ctx, 'Bela', 'Roy')
    const { claims, currency, email } = customer
    const orderId = await orderPlan(ctx, customer)
    const body = { planType: 'pro', preferredCurrency: currency }
    const call = { params: {}, query: {}, idempotencyKey: null, claims, body }
    const { paymentLink } = await createPaymentLink(ctx, call)
    await provider.openLink(paymentLink.url)
    await provider.control('/scenario', { name: 'double-pay-order-and-link', order_id: orderId })
    await reconcileOrder(ctx, orderId)
    ctx = yield now - minutes(54)
    await sendPendingRefunds(ctx)
    ctx = yield now - minutes(50)
    const query = 'You charged my card twice! I want one of the two payments back.'
    await writeTicket(ctx, { from: email, query, severity: 'high' })
  },

  'Paid another amount': async function* ({ ctx: { now }, provider }) {
    const ctx = yield now - minutes(45)
    const orderId = await orderPlan(ctx, await person(ctx, 'Ugo', 'Brandt'))
    await provider.control('/scenario', { name: 'wrong-amount', order_id: orderId })
    await reconcileOrder(ctx, orderId)
  },

  'A mail that was not delivered': async function* (shop) {
    const { now } = shop.ctx
    let ctx = yield now - hours(30)
    const customer = await person(ctx, 'Kira', 'Okoye')
    const orderId = await orderPlan(ctx, customer)
    await pay(shop, orderId, customer)
    await reconcileOrder(ctx, orderId)
    ctx = yield now - hours(6)
    const given = { attempts: 29, reason: 'E_DELIVERY_FAILED' }
    const [mails] = await ctx.db.batch([
      ctx.db.all<{ id: string; kind: string }>(sql`UPDATE mails
        SET sent_at = NULL, failed_at = ${ctx.now}, attempts = ${given.attempts}, last_error = ${given.reason}
        WHERE user_id = ${customer.claims.userId} RETURNING id, kind`),
    ])
    for (const { id, kind } of mails) ctx.log.alert('mail given up', { mailId: id, kind, ...given })
    ctx = yield now - hours(1)
    const query = 'I never got a receipt for my purchase.'
    await writeTicket(ctx, { from: customer.email, query })
  },

  'The webhook endpoint was disabled': async function* ({ ctx: { now } }) {
    await alertOfSilence(yield now - minutes(1))
  },

  'A customer is locked out': async function* (shop) {
    const { now } = shop.ctx
    let ctx = yield now - days(20)
    const customer = await person(ctx, 'Dilip', 'Menon')
    const { claims, email } = customer
    await pay(shop, await orderPlan(ctx, customer), customer)
    for (const ago of [5, 4, 3, 2, 1]) {
      ctx = yield now - hours(3) - minutes(ago)
      await ctx.db.batch([
        ctx.db.run(sql`INSERT INTO account_events (id, user_id, kind, device, ip_prefix, created_at)
          VALUES (${ctx.newId('evt')}, ${claims.userId}, 'sign_in_failed', 'Safari on macOS', '203.0.113.0/24', ${ctx.now})`),
      ])
    }
    ctx = yield now - hours(2)
    const [receipts] = await ctx.db.batch([
      ctx.db.all<{ series: string; number: number }>(sql`SELECT r.series, r.number FROM receipts r
        JOIN purchases p ON p.id = r.purchase_id WHERE p.user_id = ${claims.userId}`),
    ])
    const [receipt = { series: '', number: 0 }] = receipts
    const query = `I cannot sign in any more, and the mail to reset my password goes to ${email}, which my former employer closed. This is my new address. My receipt is ${receiptNumber(receipt)}.`
    await writeTicket(ctx, { from: 'dilip@new-job.example', query, severity: 'high' })
  },

  /** Buys, uses everything and gets the money back through the bank, twice, and has bought again. */
  'An abuser': async function* (shop) {
    const {
      ctx: { now },
      provider,
    } = shop
    let ctx = yield now - days(10)
    const customer = await person(ctx, 'Max', 'Grifter', '203.0.113.0/24')
    for (const ago of [9, 6, 1]) {
      ctx = yield now - days(ago)
      const bought = ctx.now
      await ctx.db.batch([
        ctx.db.run(sql`UPDATE sessions SET expires_at = ${bought + days(2)}
          WHERE id = ${customer.claims.sessionId}`),
      ])
      const orderId = await orderPlan(ctx, customer)
      const paymentId = await pay(shop, orderId, customer)
      ctx = yield bought + minutes(5)
      await reconcileOrder(ctx, orderId)
      ctx = yield bought + hours(2)
      await spend(ctx, customer, { amount: 900_000 })
      if (ago === 1) continue
      ctx = yield bought + days(1)
      await provider.control(`/payments/${paymentId}/dispute`, { event: 'created' })
    }
    ctx = yield now - hours(4)
    const query =
      'Somebody brags in our forum that he uses the app for free: he buys, uses all tokens and lets his bank take the money back. His name there is max.grifter.'
    await writeTicket(ctx, { from: 'a.friend@demo.example', query })
  },
}

/** The first seven troubles of the runbook, to rehearse. */
export function troubles(shop: Shop): Story[] {
  return Object.values(TROUBLES).map((tell) => tell(shop))
}

function person(ctx: Context, first: string, last: string, ipPrefix?: string): Promise<Customer> {
  const username = `${first}.${last}`.toLowerCase()
  const place = ipPrefix === undefined ? {} : { ipPrefix }
  return register(ctx, { first, last, username, isVerified: true, ...place })
}
