import { sql } from 'drizzle-orm'
import type { Context } from '../../edge-api/domain/context.ts'
import { reconcilePurchases } from '../../edge-api/domain/purchase/reconcile.ts'
import { days, hours, minutes } from '../../edge-api/domain/time.ts'
import { handleInbox } from './demo-inbox.ts'
import {
  type Customer,
  DEMO_USERS,
  orderPlan,
  orderTokens,
  pay,
  play,
  reconcileOrder,
  register,
  type Shop,
  spend,
  type Step,
  writeTicket,
} from './demo-shop.ts'

const FIRST = ['Ada', 'Noor', 'Ravi', 'Mei', 'Luca', 'Ines', 'Omar', 'Priya', 'Jonas', 'Yuki']
const LAST = ['Okafor', 'Sharma', 'Lindqvist', 'Tanaka', 'Rossi', 'Haddad', 'Novak', 'Silva']
const QUESTIONS = [
  'The overlay shows up in the screenshot of my colleague. Is that expected?',
  'How do I move my plan to another address?',
  'Please add a mode for standup meetings.',
  'Does it work with a second monitor?',
  'Where do I find the receipt of last week?',
  'Can my team pay with one invoice?',
]

/** The month of the demo's customers: what they bought, gave back and wrote, through the same code as in production. */
export async function fillMonth(
  shop: Shop,
  { customers, more = [] }: { customers: number; more?: readonly Step[] },
): Promise<void> {
  const arrivals = Array.from({ length: customers }, (_, i) => arrival(shop, i, customers))
  await play(shop, [...arrivals, ...inbox(shop), ...more])
  await handleInbox(shop.ctx)
  await catchUp(shop)
}

/** What the site's jobs would have done meanwhile: mails were sent, and unpaid purchases expired. */
async function catchUp({ ctx, provider }: Shop): Promise<void> {
  await provider.moveTo(ctx.now)
  const ofDemo = sql`user_id IN (${DEMO_USERS})`
  await ctx.db.batch([
    ctx.db.run(sql`UPDATE mails SET sent_at = created_at, due_at = NULL
      WHERE due_at IS NOT NULL AND created_at < ${ctx.now}`),
    ctx.db.run(sql`UPDATE purchases SET next_check_at = ${ctx.now}
      WHERE status IN ('creating', 'open', 'attempted') AND ${ofDemo}`),
  ])
  await reconcilePurchases({ ...ctx, payments: provider.gateway })
}

/** Of ten customers six order a plan, of whom one pays in vain; every fourth of the others buys tokens later. */
function arrival(shop: Shop, i: number, count: number): Step {
  const at = shop.ctx.now - days(30) + Math.round((days(29.5) * i) / count) + (i % 7) * minutes(50)
  const first = FIRST[i % FIRST.length] ?? ''
  const last = LAST[i % LAST.length] ?? ''
  const username = `${first}.${last}.${i}`.toLowerCase()
  return {
    at,
    run: async (ctx) => {
      const customer = await register(ctx, { first, last, username, isVerified: i % 9 !== 0 })
      const trouble = { isDisputed: i === count - 16, paysOtherAmount: i === count - 10 }
      return i % 10 < 6 ? [firstOrder(shop, { customer, i, began: at, ...trouble })] : []
    },
  }
}

interface Buyer {
  customer: Customer
  i: number
  /** When the customer came, milliseconds UTC. */
  began: number
  isDisputed: boolean
  paysOtherAmount: boolean
}

function firstOrder(shop: Shop, buyer: Buyer): Step {
  return {
    at: buyer.began + hours(2),
    run: async (ctx) => {
      const orderId = await orderPlan(ctx, buyer.customer)
      return [payment(shop, buyer, orderId)]
    },
  }
}

function payment(shop: Shop, buyer: Buyer, orderId: string): Step {
  const { customer, i, began, isDisputed, paysOtherAmount } = buyer
  return {
    at: began + hours(3),
    run: async (ctx) => {
      const isVain = i % 10 === 5
      const paymentId = await pay(shop, orderId, customer, isVain ? 'failure' : 'success')
      if (isVain) return []
      await noticeWithoutWebhook(shop, ctx, orderId)
      return [
        ...(i % 3 === 0 ? [use(customer, began + hours(5), 40_000 + 1_000 * i)] : []),
        ...(i % 20 === 2 || i % 30 === 3 ? [refund(shop, paymentId, began + days(1))] : []),
        ...(isDisputed ? [dispute(shop, paymentId, began + days(1))] : []),
        ...(i % 4 === 0 ? [moreTokens(shop, customer, began + hours(20))] : []),
        ...(paysOtherAmount ? [otherAmount(shop, customer, began + hours(6))] : []),
      ]
    },
  }
}

/** Where no webhook arrives, the job of the next minute finds the payment. */
async function noticeWithoutWebhook(shop: Shop, ctx: Context, orderId: string): Promise<void> {
  if (ctx.now >= shop.silentFrom) await reconcileOrder(ctx, orderId)
}

function use(customer: Customer, at: number, amount: number): Step {
  return {
    at,
    run: async (ctx) => {
      await spend(ctx, customer, amount)
      return []
    },
  }
}

/** Half of the money goes back, from the provider's dashboard. */
function refund({ provider }: Shop, paymentId: string, at: number): Step {
  return {
    at,
    run: async ({ payments }) => {
      const { amountMinor } = await payments.fetchPayment(paymentId)
      await provider.control(`/payments/${paymentId}/refund`, {
        amount: Math.round(amountMinor / 2),
      })
      return []
    },
  }
}

function dispute({ provider, ctx: { now } }: Shop, paymentId: string, at: number): Step {
  const respond_by = Math.round((now + days(2)) / 1_000)
  return {
    at,
    run: async () => {
      await provider.control(`/payments/${paymentId}/dispute`, { event: 'created', respond_by })
      return []
    },
  }
}

function moreTokens(shop: Shop, customer: Customer, at: number): Step {
  return {
    at,
    run: async (ctx) => {
      const orderId = await orderTokens(ctx, customer)
      await pay(shop, orderId, customer)
      await noticeWithoutWebhook(shop, ctx, orderId)
      return []
    },
  }
}

/** Money that does not fit its order, and waits for a person. */
function otherAmount(shop: Shop, customer: Customer, at: number): Step {
  return {
    at,
    run: async (ctx) => {
      const order_id = await orderTokens(ctx, customer)
      await shop.provider.control('/scenario', { name: 'wrong-amount', order_id })
      await noticeWithoutWebhook(shop, ctx, order_id)
      return []
    },
  }
}

function inbox({ ctx: { now } }: Shop): Step[] {
  const tickets = QUESTIONS.map((query, i): Step => ({
    at: now - hours(5 * i + 1),
    run: async (ctx) => {
      const name = `${FIRST[0]}.${LAST[(i * 20) % LAST.length]}.${i * 20}`.toLowerCase()
      const from = `${name}@demo.example`
      await writeTicket(ctx, { from, query, isFeatureRequest: i === 2 })
      return []
    },
  }))
  const applications = Array.from({ length: 8 }, (_, i): Step => ({
    at: now - days(i) - hours(2),
    run: async (ctx) => {
      const jobId = [2, 4, 7].includes(i)
        ? 'staff-software-engineer-cto'
        : 'software-engineer-junior'
      await apply(ctx, jobId, { name: `${FIRST[i]} ${LAST[i]}`, email: `jobs.${i}@demo.example` })
      return []
    },
  }))
  return [...tickets, ...applications]
}

async function apply(
  ctx: Context,
  jobId: string,
  { name, email }: { name: string; email: string },
): Promise<void> {
  await ctx.db.batch([
    ctx.db
      .run(sql`INSERT INTO job_applications (id, job_id, full_name, email, phone, linkedin_url, github_url,
      resume_url, current_location, working_country, work_authorization, remote_preference, experience,
      why_join, created_at)
      VALUES (${ctx.newId('app')}, ${jobId}, ${name}, ${email}, '+1 555 0100',
        '', '', 'https://demo.example/cv.pdf', 'Pune', 'India', 'other-visa', 'hybrid',
        'Three years of TypeScript.', 'I use it every day.', ${ctx.now})`),
  ])
}
