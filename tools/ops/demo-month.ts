import { sql } from 'drizzle-orm'
import type { Context } from '../../edge-api/domain/context.ts'
import { reconcilePurchases } from '../../edge-api/domain/purchase/reconcile.ts'
import { days, hours, minutes } from '../../edge-api/domain/time.ts'
import {
  DEMO_USERS,
  orderPlan,
  orderTokens,
  pay,
  play,
  reconcileOrder,
  register,
  type Shop,
  spend,
  type Story,
  writeTicket,
} from './demo-shop.ts'

const FIRST = ['Ada', 'Noor', 'Ravi', 'Mei', 'Luca', 'Ines', 'Omar', 'Priya', 'Jonas', 'Yuki']
const LAST = ['Okafor', 'Sharma', 'Lindqvist', 'Tanaka', 'Rossi', 'Haddad', 'Novak', 'Silva']

const WAIT = 'Hello,\n\nThank you for writing. We are looking into it and will write again today.'

/** What became of a ticket or an application, with the notes and answers of before. */
interface Handling {
  state?: string
  entries?: readonly (readonly [kind: 'note' | 'answer' | 'state', text: string])[]
}

/** The newest first. */
const QUESTIONS: readonly (readonly [query: string, handling: Handling])[] = [
  [
    'The overlay shows up in the screenshot of my colleague. Is that expected?',
    {
      state: 'waiting',
      entries: [
        ['answer', WAIT],
        ['note', 'Meeting app 5.17 on Windows 11. Asked the app people for a build with logs.'],
        ['state', 'waiting'],
      ],
    },
  ],
  [
    'How do I move my plan to another address?',
    {
      state: 'answered',
      entries: [
        [
          'answer',
          'Hello,\n\nPlease write to us from the old address and tell us the new one. We will change it and email both addresses.',
        ],
      ],
    },
  ],
  ['Please add a mode for standup meetings.', {}],
  [
    'Does it work with a second monitor?',
    {
      state: 'closed',
      entries: [
        ['answer', 'Hello,\n\nyes: the overlay stays on the monitor where you put it.'],
        ['state', 'closed'],
      ],
    },
  ],
  ["Where do I find last week's receipt?", {}],
  [
    'Can my team pay with one invoice?',
    { state: 'waiting', entries: [['note', 'Asked the tax adviser. Answer by Friday.']] },
  ],
]

/** The states of the applications, the newest first; null for a new one. */
const APPLICATIONS = [null, null, 'in_talks', 'in_talks', null, 'declined', 'withdrawn', 'accepted']

/** The month of the demo's customers: their purchases, refunds and messages, through the same code as in production. */
export async function fillMonth(
  shop: Shop,
  { customers, more = [] }: { customers: number; more?: readonly Story[] },
): Promise<void> {
  const visits = Array.from({ length: customers }, (_, i) => visit(shop, i, customers))
  const tickets = QUESTIONS.map((_, i) => ask(shop, i))
  const applications = APPLICATIONS.map((_, i) => apply(shop, i))
  await play(shop, [...visits, ...tickets, ...applications, ...more])
  await catchUp(shop)
}

/** The work of the site's jobs in that month: unpaid purchases expired. */
async function catchUp({ ctx, provider }: Shop): Promise<void> {
  const { db, now } = ctx
  await db.batch([
    db.run(sql`UPDATE purchases SET next_check_at = ${now}
      WHERE status IN ('open', 'attempted') AND user_id IN (${DEMO_USERS})`),
  ])
  await reconcilePurchases({ ...ctx, payments: provider.gateway })
}

/** Six in ten visitors order a plan, and one of these fails to pay; every fourth of the others buys tokens later. */
async function* visit(shop: Shop, i: number, count: number): Story {
  const { provider, silentFrom } = shop
  const came =
    shop.ctx.now - days(30) + Math.round((days(29.5) * i) / count) + (i % 7) * minutes(50)
  let ctx = yield came
  const first = FIRST[i % FIRST.length] ?? ''
  const last = LAST[i % LAST.length] ?? ''
  const username = `${first}.${last}.${i}`.toLowerCase()
  const customer = await register(ctx, { first, last, username, isVerified: i % 9 !== 0 })
  if (i % 10 >= 6) return

  // Where no webhook arrives, the job of the next minute finds the payment.
  const notice = async (orderId: string) => {
    if (ctx.now >= silentFrom) await reconcileOrder(ctx, orderId)
  }
  ctx = yield came + hours(2)
  const orderId = await orderPlan(ctx, customer)
  ctx = yield came + hours(3)
  const isVain = i % 10 === 5
  const paymentId = await pay(shop, orderId, customer, isVain ? 'failure' : 'success')
  if (isVain) return
  await notice(orderId)
  if (i % 3 === 0) {
    ctx = yield came + hours(5)
    await spend(ctx, customer, { amount: 40_000 + 1_000 * i })
  }
  if (i === count - 6) {
    // Money that does not match its order, and waits for a person.
    ctx = yield came + hours(6)
    const order_id = await orderTokens(ctx, customer)
    await provider.control('/scenario', { name: 'wrong-amount', order_id })
    await notice(order_id)
  }
  if (i % 4 === 0) {
    ctx = yield came + hours(20)
    const tokens = await orderTokens(ctx, customer)
    await pay(shop, tokens, customer)
    await notice(tokens)
  }
  if (i % 20 === 2 || i % 30 === 3) {
    // Half of the money goes back, from the provider's dashboard.
    ctx = yield came + days(1)
    const { amountMinor } = await ctx.payments.fetchPayment(paymentId)
    await provider.control(`/payments/${paymentId}/refund`, { amount: Math.round(amountMinor / 2) })
  }
  if (i === count - 8) {
    ctx = yield came + days(1)
    const respond_by = Math.round((shop.ctx.now + days(2)) / 1_000)
    await provider.control(`/payments/${paymentId}/dispute`, { event: 'created', respond_by })
  }
}

async function* ask({ ctx: { now } }: Shop, i: number): Story {
  const [query = '', handling = {}] = QUESTIONS[i] ?? []
  const ctx = yield now - hours(5 * i + 1)
  const name = `${FIRST[0]}.${LAST[(i * 10) % LAST.length]}.${i * 10}`.toLowerCase()
  const from = `${name}@demo.example`
  const id = await writeTicket(ctx, { from, query, isFeatureRequest: i === 2 })
  await handle(ctx, 'support_tickets', id, handling)
}

async function* apply({ ctx: { now } }: Shop, i: number): Story {
  const ctx = yield now - days(i) - hours(2)
  const isSenior = [2, 4, 7].includes(i)
  const jobId = isSenior ? 'staff-software-engineer-cto' : 'software-engineer-junior'
  const id = ctx.newId('app')
  await ctx.db.batch([
    ctx.db
      .run(sql`INSERT INTO job_applications (id, job_id, full_name, email, phone, linkedin_url, github_url,
      resume_url, current_location, working_country, work_authorization, remote_preference, experience,
      why_join, created_at)
      VALUES (${id}, ${jobId}, ${`${FIRST[i]} ${LAST[i]}`}, ${`jobs.${i}@demo.example`}, '+1 555 0100',
        '', '', 'https://demo.example/cv.pdf', 'Pune', 'India', 'other-visa', 'hybrid',
        'Three years of TypeScript.', 'I use it every day.', ${ctx.now})`),
  ])
  const state = APPLICATIONS[i] ?? null
  if (state === null) return
  await handle(ctx, 'job_applications', id, { state, entries: [['state', state]] })
  if (state === 'in_talks') return
  await ctx.db.batch([
    ctx.db.run(
      sql`UPDATE job_applications SET decided_at = ${ctx.now + hours(1)} WHERE id = ${id}`,
    ),
  ])
}

/** The entries are a quarter of an hour apart. */
async function handle(
  { db, now, newId, brand }: Context,
  table: 'support_tickets' | 'job_applications',
  id: string,
  { state = 'new', entries = [] }: Handling,
): Promise<void> {
  await db.batch([
    db.run(sql`UPDATE ${sql.identifier(table)} SET state = ${state} WHERE id = ${id}`),
    ...entries.map(([kind, text], i) =>
      db.run(sql`INSERT INTO submission_entries (id, submission_id, kind, text, operator_id, created_at)
        VALUES (${newId('ent')}, ${id}, ${kind}, ${text}, ${brand.operatorEmail}, ${now + minutes(15 * (i + 1))})`),
    ),
  ])
}
