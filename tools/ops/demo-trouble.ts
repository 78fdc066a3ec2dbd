import { sql } from 'drizzle-orm'
import type { Context } from '../../edge-api/domain/context.ts'
import { alertOfSilence } from '../../edge-api/domain/purchase/alert-of-silence.ts'
import { createPaymentLink } from '../../edge-api/domain/purchase/create-payment-link.ts'
import { days, hours, minutes } from '../../edge-api/domain/time.ts'
import {
  type Customer,
  orderPlan,
  pay,
  reconcileOrder,
  register,
  type Shop,
  spend,
  type Step,
  writeTicket,
} from './demo-shop.ts'

/** How long before now the provider stopped to send webhooks. */
export const SILENT_MS = days(3)

/**
 * Seven things that went wrong, for somebody who has the desk and the runbook alone: a payment without tokens, a double
 * payment, a wrong amount, a mail that failed, a webhook endpoint that was disabled (`silentFrom` of the shop), a
 * customer who is locked out, and an abuser.
 */
export function troubles(shop: Shop): Step[] {
  const ago = (ms: number) => shop.ctx.now - ms
  return [
    chain(ago(days(5) + hours(4)), paidLate(shop, ago)),
    chain(ago(minutes(55)), paidTwice(shop, ago)),
    chain(ago(minutes(45)), paidOtherAmount(shop)),
    chain(ago(hours(30)), mailFailed(shop, ago)),
    chain(ago(days(20)), lockedOut(ago)),
    chain(ago(days(10)), abuses(shop, ago)),
    once(ago(minutes(1)), (ctx) => alertOfSilence(ctx)),
  ]
}

type Following = (ctx: Context) => Promise<readonly Step[]>

const chain = (at: number, run: Following): Step => ({ at, run })

function once(at: number, act: (ctx: Context) => Promise<unknown>): Step {
  return {
    at,
    run: async (ctx) => {
      await act(ctx)
      return []
    },
  }
}

type Ago = (ms: number) => number

function person(ctx: Context, first: string, last: string, ipPrefix?: string): Promise<Customer> {
  const username = `${first}.${last}`.toLowerCase()
  return register(ctx, {
    first,
    last,
    username,
    isVerified: true,
    ...(ipPrefix ? { ipPrefix } : {}),
  })
}

/** The order had expired and its last check was past, and no webhook told of the money. */
function paidLate(shop: Shop, ago: Ago): Following {
  return async (ctx) => {
    const customer = await person(ctx, 'Tara', 'Lind')
    const orderId = await orderPlan(ctx, customer)
    return [
      once(ago(hours(26)), (then) => reconcileOrder(then, orderId)),
      once(ago(minutes(100)), async (then) => {
        const paymentId = await pay(shop, orderId, customer)
        const query = `I paid for Pro more than an hour ago (${paymentId}) and still have no tokens.`
        await writeTicket(then, { from: customer.email, query, severity: 'high' })
      }),
    ]
  }
}

/** The order and a payment link of the same purchase were both paid. The job refunds one of them within a minute. */
function paidTwice(shop: Shop, ago: Ago): Following {
  return async (ctx) => {
    const customer = await person(ctx, 'Bela', 'Roy')
    const { claims, currency, email } = customer
    const orderId = await orderPlan(ctx, customer)
    const body = { planType: 'pro', preferredCurrency: currency }
    const call = { params: {}, query: {}, idempotencyKey: null, claims, body }
    const { paymentLink } = await createPaymentLink(ctx, call)
    await shop.provider.openLink(paymentLink.url)
    const scenario = { name: 'double-pay-order-and-link', order_id: orderId }
    await shop.provider.control('/scenario', scenario)
    await reconcileOrder(ctx, orderId)
    const query = 'You charged my card twice this morning! I want one of the two payments back.'
    return [
      once(ago(minutes(50)), (then) => writeTicket(then, { from: email, query, severity: 'high' })),
    ]
  }
}

function paidOtherAmount(shop: Shop): Following {
  return async (ctx) => {
    const orderId = await orderPlan(ctx, await person(ctx, 'Ugo', 'Brandt'))
    await shop.provider.control('/scenario', { name: 'wrong-amount', order_id: orderId })
    await reconcileOrder(ctx, orderId)
    return []
  }
}

function mailFailed(shop: Shop, ago: Ago): Following {
  return async (ctx) => {
    const customer = await person(ctx, 'Kira', 'Okoye')
    const orderId = await orderPlan(ctx, customer)
    await pay(shop, orderId, customer)
    await reconcileOrder(ctx, orderId)
    const { userId } = customer.claims
    return [
      once(ago(hours(6)), async (then) => {
        const [mails] = await then.db.batch([
          then.db.all<{ id: string; kind: string }>(sql`UPDATE mails
            SET due_at = NULL, failed_at = ${then.now}, attempts = 29, last_error = 'E_DELIVERY_FAILED'
            WHERE user_id = ${userId} RETURNING id, kind`),
        ])
        for (const { id, kind } of mails) {
          then.log.alert('mail given up', {
            mailId: id,
            kind,
            attempts: 29,
            reason: 'E_DELIVERY_FAILED',
          })
        }
      }),
      once(ago(hours(1)), (then) =>
        writeTicket(then, {
          from: customer.email,
          query: 'I never got a receipt for my purchase.',
        }),
      ),
    ]
  }
}

function lockedOut(ago: Ago): Following {
  return async (ctx) => {
    const { claims, email } = await person(ctx, 'Dilip', 'Menon')
    const failed = (i: number) =>
      once(ago(hours(3) - minutes(i)), (then) =>
        then.db.batch([
          then.db
            .run(sql`INSERT INTO account_events (id, user_id, kind, device, ip_prefix, created_at)
            VALUES (${then.newId('evt')}, ${claims.userId}, 'sign_in_failed', 'Safari on macOS', '203.0.113.0/24', ${then.now})`),
        ]),
      )
    const query = `I cannot sign in any more, and the mail to reset my password goes to ${email}, which my former employer closed. This is my new address.`
    return [
      ...[1, 2, 3, 4, 5].map(failed),
      once(ago(hours(2)), (then) =>
        writeTicket(then, { from: 'dilip@new-job.example', query, severity: 'high' }),
      ),
    ]
  }
}

/** Buys, uses everything and has the money taken back by the bank, twice, and has bought again. */
function abuses(shop: Shop, ago: Ago): Following {
  return async (ctx) => {
    const customer = await person(ctx, 'Max', 'Grifter', '203.0.113.0/24')
    const round = (daysAgo: number, isDisputed: boolean) => [
      chain(ago(days(daysAgo)), async (then) => {
        await renewSession(then, customer)
        const orderId = await orderPlan(then, customer)
        const paymentId = await pay(shop, orderId, customer)
        return [
          once(then.now + minutes(5), (soon) => reconcileOrder(soon, orderId)),
          once(then.now + hours(2), (soon) => spend(soon, customer, 900_000)),
          ...(isDisputed
            ? [
                once(then.now + days(1), () =>
                  shop.provider.control(`/payments/${paymentId}/dispute`, { event: 'created' }),
                ),
              ]
            : []),
        ]
      }),
    ]
    const query =
      'Somebody brags in our forum that he uses Sotto for free: he buys, uses all tokens and lets his bank take the money back. His name there is max.grifter.'
    return [
      ...round(9, true),
      ...round(6, true),
      ...round(1, false),
      once(ago(hours(4)), (then) => writeTicket(then, { from: 'a.friend@demo.example', query })),
    ]
  }
}

async function renewSession(ctx: Context, { claims }: Customer): Promise<void> {
  const until = ctx.now + days(2)
  await ctx.db.batch([
    ctx.db.run(sql`UPDATE sessions SET expires_at = ${until} WHERE id = ${claims.sessionId}`),
  ])
}
