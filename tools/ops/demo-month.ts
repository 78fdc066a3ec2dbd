import { sql } from 'drizzle-orm'
import { MAIN_PLAN, TOKEN_PACK } from '../../src/contract/catalogue.ts'
import { acceptedTerms } from '../../edge-api/domain/account/terms.ts'
import type { Context } from '../../edge-api/domain/context.ts'
import { idMaker } from '../../edge-api/domain/new-id.ts'
import {
  factsOf,
  type PaymentFact,
  type RefundOrDispute,
} from '../../edge-api/domain/ports/payments.ts'
import {
  type Purchase,
  purchaseByOrder,
  requirePurchase,
} from '../../edge-api/domain/purchase/find-purchase.ts'
import { recordCause } from '../../edge-api/domain/purchase/record-cause.ts'
import { settle } from '../../edge-api/domain/purchase/settle.ts'
import { days, hours } from '../../edge-api/domain/time.ts'

const CUSTOMERS = 200
const FIRST = ['Ada', 'Noor', 'Ravi', 'Mei', 'Luca', 'Ines', 'Omar', 'Priya', 'Jonas', 'Yuki']
const LAST = ['Okafor', 'Sharma', 'Lindqvist', 'Tanaka', 'Rossi', 'Haddad', 'Novak', 'Silva']
const QUESTIONS = [
  'I paid and see no tokens. The bank says the money left.',
  'The overlay shows up in the screenshot of my colleague. Is that expected?',
  'How do I move my plan to another address?',
  'Please add a mode for standup meetings.',
  'I was charged twice this morning, please look.',
  'Does it work with a second monitor?',
]

/** A month of customers: what they bought, gave back and wrote, through the same code as in production. */
export async function fillMonth(ctx: Context): Promise<void> {
  for (let i = 0; i < CUSTOMERS; i += 1) {
    const at = ctx.now - days(30) + Math.round((days(29) * i) / CUSTOMERS) + (i % 7) * hours(1)
    await fillCustomer(ctxAt(ctx, at), i)
  }
  await fillInbox(ctx)
  // They were sent at the time; nobody wants them now.
  await ctx.db.batch([
    ctx.db.run(
      sql`UPDATE mails SET sent_at = created_at, due_at = NULL WHERE created_at < ${ctx.now}`,
    ),
  ])
}

/** The same services at another instant. */
function ctxAt(ctx: Context, at: number): Context {
  return { ...ctx, now: at, newId: idMaker(() => at, ctx.randomBytes) }
}

/** Of ten customers, six buy a plan, one of them pays twice in vain first, and some of those buy tokens later. */
async function fillCustomer(ctx: Context, i: number): Promise<void> {
  const { db, now } = ctx
  const userId = ctx.newId('usr')
  const [first, last] = [FIRST[i % FIRST.length], LAST[i % LAST.length]]
  const username = `${first}.${last}.${i}`.toLowerCase()
  const email = `${username}@demo.example`
  const { termsVersion: version } = acceptedTerms(now)
  const verifiedAt = i % 9 === 0 ? null : now + hours(1)
  await db.batch([
    db.run(sql`INSERT INTO users (id, username, username_key, email, email_key, password_hash,
      first_name, last_name, currency, email_verified_at, created_at, updated_at, terms_version,
      terms_accepted_at, terms_told_version, terms_told_at)
      VALUES (${userId}, ${username}, ${username}, ${email}, ${email}, '', ${first}, ${last},
        ${i % 3 === 0 ? 'INR' : 'USD'}, ${verifiedAt}, ${now}, ${now}, ${version}, ${now}, ${version}, ${now})`),
    ...['registered', 'signed_in'].map((kind) =>
      db.run(sql`INSERT INTO account_events (id, user_id, kind, device, ip_prefix, created_at)
        VALUES (${ctx.newId('evt')}, ${userId}, ${kind}, 'Chrome on Windows', '198.51.100.0/24', ${now})`),
    ),
  ])
  if (i % 10 >= 6) return
  const plan = await order(ctxAt(ctx, now + hours(2)), { userId, item: MAIN_PLAN, i })
  if (i % 10 === 5) {
    await pay(ctxAt(ctx, now + hours(2)), plan, {
      status: 'failed',
      errorReason: 'payment_cancelled',
    })
    return
  }
  const payment = await pay(ctxAt(ctx, now + hours(3)), plan)
  if (i % 20 === 2) await takeBack(ctxAt(ctx, now + days(1)), plan, payment, { kind: 'refund' })
  if (i === 184) await takeBack(ctxAt(ctx, now + days(1)), plan, payment, DISPUTE)
  if (i === 190) await payOtherAmount(ctxAt(ctx, now + hours(4)), userId, i)
  if (i % 4 === 0) {
    const pack = await order(ctxAt(ctx, now + hours(20)), { userId, item: TOKEN_PACK, i })
    await pay(ctxAt(ctx, now + hours(20)), pack)
  }
}

const DISPUTE = { kind: 'dispute', phase: 'chargeback' } as const

interface Wanted {
  userId: string
  item: typeof TOKEN_PACK
  i: number
}

async function order(ctx: Context, { userId, item, i }: Wanted): Promise<Purchase> {
  const id = ctx.newId('pur')
  const orderId = providerId('order', id)
  const currency = i % 3 === 0 ? 'INR' : 'USD'
  const [, rows] = await ctx.db.batch([
    ctx.db.run(sql`INSERT INTO purchases (id, user_id, sku, kind, tokens, access_days, amount_minor,
      currency, payment_mode, channel, status, razorpay_order_id, created_at, updated_at)
      VALUES (${id}, ${userId}, ${item.sku}, ${item.kind}, ${item.tokens}, ${item.accessDays},
        ${item.priceMinor[currency]}, ${currency}, ${ctx.paymentMode}, 'checkout', 'open',
        ${orderId}, ${ctx.now}, ${ctx.now})`),
    purchaseByOrder(ctx, orderId),
  ])
  return requirePurchase(rows)
}

async function pay(
  ctx: Context,
  purchase: Purchase,
  overrides: Partial<PaymentFact> = {},
): Promise<PaymentFact> {
  const payment: PaymentFact = {
    paymentId: providerId('pay', purchase.id),
    razorpayOrderId: purchase.razorpayOrderId ?? '',
    amountMinor: purchase.amountMinor,
    currency: purchase.currency,
    status: 'captured',
    amountRefundedMinor: 0,
    method: purchase.currency === 'INR' ? 'upi' : 'card',
    errorReason: null,
    payerEmail: null,
    baseAmountMinor: null,
    baseCurrency: null,
    ...overrides,
  }
  await report(ctx, purchase, { payments: [payment] })
  return payment
}

async function takeBack(
  ctx: Context,
  purchase: Purchase,
  { paymentId, amountMinor, currency }: PaymentFact,
  { kind, phase }: { kind: RefundOrDispute['kind']; phase?: string },
): Promise<void> {
  const isDispute = kind === 'dispute'
  const taken: RefundOrDispute = {
    id: providerId(isDispute ? 'disp' : 'rfnd', purchase.id),
    kind,
    paymentId,
    amountMinor: isDispute ? amountMinor : Math.round(amountMinor / 2),
    currency,
    state: isDispute ? 'open' : 'final',
    phase: phase ?? null,
    respondBy: isDispute ? ctx.now + days(3) : null,
    beganAt: ctx.now,
    asOf: ctx.now,
  }
  await report(ctx, purchase, { refundsAndDisputes: [taken] })
}

/** Money that does not fit its order, and waits for a person. */
async function payOtherAmount(ctx: Context, userId: string, i: number): Promise<void> {
  const pack = await order(ctx, { userId, item: TOKEN_PACK, i })
  await pay(ctx, pack, { amountMinor: pack.amountMinor - 100 })
}

/** What Razorpay says, as its webhook says it. The job asks about none of these purchases: no emulator knows them. */
async function report(
  ctx: Context,
  purchase: Purchase,
  facts: Parameters<typeof factsOf>[0],
): Promise<void> {
  await settle(ctx, purchase, factsOf(facts), [
    recordCause(ctx, purchase.id, `webhook ${ctx.newId('evt')}`),
    ctx.db.run(sql`UPDATE purchases SET next_check_at = NULL WHERE id = ${purchase.id}`),
  ])
}

async function fillInbox(ctx: Context): Promise<void> {
  const tickets = QUESTIONS.map((query, i) => {
    const id = ctxAt(ctx, ctx.now - hours(5 * i + 1)).newId('tkt')
    return sql`INSERT INTO support_tickets (id, email, severity, is_feature_request, query, created_at)
      SELECT ${id}, email, ${i === 0 || i === 4 ? 'high' : 'low'}, ${i === 3 ? 1 : 0}, ${query},
        ${ctx.now - hours(5 * i + 1)} FROM users WHERE email LIKE ${`%.${i * 10}@demo.example`}`
  })
  const applications = Array.from({ length: 8 }, (_, i) => {
    const name = `${FIRST[i]} ${LAST[i]}`
    const at = ctx.now - days(i)
    return sql`INSERT INTO job_applications (id, job_id, full_name, email, phone, linkedin_url, github_url,
      resume_url, current_location, working_country, work_authorization, remote_preference, experience,
      why_join, created_at)
      VALUES (${ctx.newId('app')}, 'software-engineer-junior', ${name}, ${`jobs.${i}@demo.example`}, '+1 555 0100',
        '', '', 'https://demo.example/cv.pdf', 'Pune', 'India', 'other-visa', 'hybrid',
        'Three years of TypeScript.', 'I use it every day.', ${at})`
  })
  const [first, ...others] = [...tickets, ...applications].map((insert) => ctx.db.run(insert))
  if (first !== undefined) await ctx.db.batch([first, ...others])
}

/** An id of Razorpay's form, made of the one of a purchase. */
function providerId(prefix: 'order' | 'pay' | 'rfnd' | 'disp', purchaseId: string): string {
  return `${prefix}_DEMO${purchaseId.slice(-10)}`
}
