import { Buffer } from 'node:buffer'
import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { z } from 'zod'
import { deleteAccount } from '../../../edge-api/domain/account/delete-account.ts'
import type { Claims } from '../../../edge-api/domain/account/signed.ts'
import type { Context } from '../../../edge-api/domain/context.ts'
import { askRefund, refundQuote } from '../../../edge-api/domain/purchase/ask-refund.ts'
import { createOrder, createTokenOrder } from '../../../edge-api/domain/purchase/create-order.ts'
import { createPaymentLink } from '../../../edge-api/domain/purchase/payment-link.ts'
import { returnFromLink } from '../../../edge-api/domain/purchase/return-from-payment.ts'
import {
  activateOrderPublic,
  activateSubscription,
  verifyPayment,
} from '../../../edge-api/domain/purchase/verify-payment.ts'
import { receiveWebhook } from '../../../edge-api/domain/purchase/webhooks.ts'
import { useTokens } from '../../../edge-api/domain/tokens/use-tokens.ts'
import { DatabaseUnavailable } from '../../../edge-api/db/database-error.ts'
import { auditPurchases, settleOpenPurchases } from '../../../edge-api/jobs/run-jobs.ts'
import {
  DisputeEntity,
  RefundEntity,
  toDisputeFact,
  toRefundFact,
} from '../../../edge-api/gateways/razorpay/entities.ts'
import { failedChecks } from '../../../tools/ops/verify-ledger.ts'
import { signLink } from '../../../tools/razorpay-emulator/core/signature.ts'
import { OUTSIDE_INDIA } from '../../../src/contract/billing.ts'
import { PASSWORD } from '../member.ts'
import { testSecrets } from '../services.ts'
import { adminOf } from './admin.ts'
import { cheapHash, createAccount } from './account.ts'
import { emptyWorld, readAllRows } from './empty-world.ts'
import { expectedLots } from './expected-lots.ts'
import { openProvider, type Provider } from './history-provider.ts'
import { seeded } from './seeded.ts'
import { TAX, taxed } from './taxed.ts'
import { callOf, createWorld, NO_INPUT, type Rows } from './world.ts'

const PASSWORD_HASH = cheapHash()

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Errors that a visitor is told about or that the next run of a job retries. Any other error is a fault. */
const EXPECTED = /^(Refusal|DatabaseUnavailable|GatewayUnavailable|GatewayRefused)\b/

const Triple = z.object({
  razorpay_order_id: z.string(),
  razorpay_payment_id: z.string(),
  razorpay_signature: z.string(),
})

const AboutPayment = z.object({
  payload: z.object({ payment: z.object({ entity: z.object({ id: z.string() }) }) }),
})

/** What `check` reads besides the rules. */
const ENTRIES =
  'SELECT ref, user_id AS account, kind, tokens, purchase_id AS purchase FROM ledger ORDER BY rowid'
const LOTS = 'SELECT ref, left FROM lots'
const GRANTS = `SELECT g.payment_id AS id, g.purchase_id AS purchase,
  u.deleted_at < g.granted_at AS isLate FROM grants g JOIN users u ON u.id = g.user_id`

const Entry = z.object({
  ref: z.string(),
  account: z.string(),
  kind: z.string(),
  tokens: z.int(),
  purchase: z.string().nullable(),
})

interface Person {
  claims: Claims
  /** Set once the session has ended or the account is deleted: nothing may be spent then. */
  isGone: boolean
}

interface Bought {
  person: Person
  orderId: string
  paymentId: string
  signature: string
}

/**
 * Plays the history of a seed: two people buy, pay, spend, dispute, and get refunds and gifts, while webhooks come in any
 * order or not at all, calls fail, and the program ends between any two statements. In every second history the seller
 * charges tax. Checks after every step everything that must hold. Throws an error that names the steps.
 */
async function playHistory(provider: Provider, seed: number, options: Options): Promise<void> {
  const history = await openHistory(provider, seed, options)
  const steps: string[] = []
  try {
    const count = history.random.int(8, 30)
    for (let index = 0; index < count; index += 1) {
      const [name, step] = FIRST_STEPS[index] ?? chooseStep(history)
      steps.push(name)
      await history.attempt(step)
      if ((seed + index) % (options.pace ?? 1) === 0) await history.check()
    }
    steps.push('end')
    await endHistory(history)
  } catch (error) {
    const told = `after ${steps.length} steps (${steps.join(', ')})`
    throw new Error(
      `history ${seed} broke ${told}\nplay it again: HISTORY=${seed} npm test -- histories.night`,
      {
        cause: error,
      },
    )
  }
}

/** By default the database is the test's, nobody kills it, and everything is checked after every step. */
interface Options {
  databaseUrl?: string
  /** Kills the database and starts it again. Happens in the middle of some batches of each tenth history. */
  crash?: () => Promise<void>
  /** After how many steps everything is checked, which takes longer than the steps. */
  pace?: number
}

/** Plays `count` histories, of the seeds from `first` on. */
export async function playHistories(
  first: number,
  count: number,
  options: Options = {},
): Promise<void> {
  const provider = openProvider()
  for (let seed = first; seed < first + count; seed += 1) await playHistory(provider, seed, options)
}

type History = Awaited<ReturnType<typeof openHistory>>
type Step = (history: History) => Promise<unknown>

async function openHistory(provider: Provider, seed: number, { crash, ...server }: Options) {
  provider.reset(String(seed))
  const random = seeded(seed)
  /** How many batches are sent before the program ends. */
  let left = Infinity
  /** Whether the calls to Razorpay end with the last of them. */
  let endsWithBatch = false
  provider.isReached = () => left > 0 || !endsWithBatch
  /** How many batches are sent before the one in which the database is killed. */
  let alive = Infinity
  let crashed: Promise<void> | undefined
  const world = await emptyWorld({
    ...server,
    payments: provider.gateway,
    beforeBatch: () => {
      if (left <= 0) throw new DatabaseUnavailable('the program has ended')
      left -= 1
      if (alive === 0) crashed = crash?.()
      alive -= 1
    },
    random: random.bytes,
  })
  const reader = createWorld(server)
  const people: Person[] = []
  const isTaxed = seed % 2 === 1
  for (let index = 0; index < 2; index += 1) {
    const place = random.pick([TAX.state, '27', OUTSIDE_INDIA])
    const billing = JSON.stringify({ place, name: '', address: '', gstin: '' })
    people.push({
      claims: await createAccount(world.ctx(), { passwordHash: PASSWORD_HASH, billing }),
      isGone: false,
    })
  }
  const bought: Bought[] = []
  /** Payments of which nobody can know how much was returned. */
  const unclear = new Set<string>()

  async function advance(seconds: number): Promise<void> {
    world.advance(seconds * 1_000)
    await provider.advance(seconds)
  }

  /**
   * Runs a step, perhaps in a program that ends after some of its batches. It is as if workerd were killed: the Worker
   * sends batches and calls to Razorpay, one after the other, and keeps nothing in memory. A batch is one request, carried
   * out whole or not at all, even when nobody waits for its answer (`crash`); `outage` loses the answer to a call.
   */
  async function attempt(step: Step): Promise<void> {
    const endsEarly = random.chance(0.15)
    left = endsEarly ? random.int(0, 6) : Infinity
    // Otherwise it ends just before the next batch, after the calls that lead to it.
    endsWithBatch = random.chance(0.5)
    alive = crash && seed % 10 === 0 && random.chance(0.2) ? random.int(0, 6) : Infinity
    await tolerate(() => step(history))
    await crashed
    alive = Infinity
    while (!(await tolerate(world.drain)));
    left = Infinity
    await advance(1)
  }

  async function check(): Promise<void> {
    const broken = await failedChecks(reader.ctx())
    if (broken.length > 0) throw new Error(broken.join('\n'))
    // In one batch: a statement that timed out may still be carried out.
    const rows = await readAllRows(reader.ctx(), [ENTRIES, LOTS, GRANTS])
    const [entries = [], lots = [], grants = []] = rows
    assertLotsFollowTheLedger(entries, lots)
    const unfunded = grants.filter(({ id, purchase }) => !isFunded(String(id), String(purchase)))
    if (unfunded.length > 0) throw new Error(`tokens without money: ${JSON.stringify(unfunded)}`)
    if (grants.some(({ isLate }) => isLate === 1)) {
      throw new Error('a deleted account was granted tokens')
    }
    const strange = world.errors.find(({ error }) => !EXPECTED.test(error))
    if (strange !== undefined) throw new Error(`unexpected: ${JSON.stringify(strange)}`)
  }

  /** Whether Razorpay has the money for a grant, on the order of this purchase. */
  function isFunded(paymentId: string, purchaseId: string): boolean {
    const { payments, orders } = provider.state()
    const payment = payments[paymentId]?.entity
    const order = orders[payment?.order_id ?? '']?.entity
    return payment?.captured === true && order?.receipt === purchaseId
  }

  const history = {
    provider,
    random,
    read: reader.read,
    world,
    people,
    bought,
    unclear,
    /** When its last step ended, in milliseconds UTC. */
    endsAt: Infinity,
    /** Seconds since the last daily audit. */
    unaudited: 0,
    advance,
    attempt,
    check,
    ctx: (): Context => (isTaxed ? taxed(world.ctx()) : world.ctx()),
    person: () => random.pick(people) ?? fail(),
  }
  return history
}

function fail(): never {
  throw new Error('there is nobody')
}

/** True when the work ended by itself or with an error that is expected. */
async function tolerate(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (error instanceof Error && EXPECTED.test(error.name)) return false
    throw error
  }
}

const payments = ({ provider }: History) =>
  Object.values(provider.state().payments).map(({ entity }) => entity)

const plan = ({ random }: History) => ({
  planType: 'pro',
  preferredCurrency: random.chance(0.5) ? ('USD' as const) : ('INR' as const),
})

/** A key that another purchase may repeat. */
const key = ({ random }: History) => (random.chance(0.3) ? `key-${random.int(1, 2)}` : null)

const order: Step = (history) => {
  const call = { ...callOf(history.person().claims), idempotencyKey: key(history) }
  const { preferredCurrency: currency } = plan(history)
  return history.random.chance(0.7)
    ? createOrder(history.ctx(), { ...call, body: plan(history) })
    : createTokenOrder(history.ctx(), { ...call, body: { currency } })
}

const link: Step = (history) =>
  createPaymentLink(history.ctx(), {
    ...callOf(history.person().claims),
    body: plan(history),
    idempotencyKey: key(history),
  })

/** The same item as an order and as a link: both can be paid. */
const orderAndLink: Step = async (history) => {
  const call = { ...callOf(history.person().claims), body: plan(history) }
  await createOrder(history.ctx(), call)
  await createPaymentLink(history.ctx(), call)
}

const unpaid = ({ provider }: History) =>
  Object.values(provider.state().orders).filter(({ entity }) => entity.status !== 'paid')

const SCENARIOS = [
  'declined-then-ok',
  'late-auth',
  'second-payment',
  'double-pay-order-and-link',
  'double-pay-order-and-link',
  'refund-before-capture',
  'wrong-amount',
]

const scenario: Step = async (history) => {
  const chosen = history.random.pick(unpaid(history))
  const name = history.random.pick(SCENARIOS)
  if (chosen === undefined) return
  await history.provider.control('/scenario', { name, order_id: chosen.entity.id })
}

const OUTCOMES = ['success', 'success', 'success', 'failure', 'authorize_only']

async function payOrder(history: History, orderId: string, outcomes = OUTCOMES): Promise<void> {
  const { random, provider, read, people, bought } = history
  const outcome = random.pick(outcomes)
  const method = random.pick(['card', 'card', 'upi', 'netbanking'])
  const paid = Triple.safeParse(
    await provider.control('/payments', { order_id: orderId, method, outcome }),
  )
  if (!paid.success) return
  const receipt = provider.state().orders[orderId]?.entity.receipt ?? ''
  const [row] = await read(`SELECT user_id FROM purchases WHERE id = '${receipt}'`)
  const person = people.find(({ claims }) => claims.userId === row?.['user_id'])
  if (person === undefined) return
  const { razorpay_payment_id: paymentId, razorpay_signature: signature } = paid.data
  bought.push({ person, orderId, paymentId, signature })
}

const pay: Step = async (history) => {
  const all = Object.values(history.provider.state().orders)
  const chosen = history.random.pick(history.random.chance(0.8) ? unpaid(history) : all)
  if (chosen !== undefined) await payOrder(history, chosen.entity.id)
}

const payLink: Step = async (history) => {
  const { provider, random } = history
  const chosen = random.pick(Object.values(provider.state().links))
  if (chosen === undefined) return
  await provider.openLink(chosen.code)
  const orderId = provider.state().links[chosen.entity.id]?.orderId
  if (typeof orderId === 'string') await payOrder(history, orderId)
}

/**
 * Pays an order and a link for it at once. Perhaps only the jobs learn of the money on the link, and a bank may take
 * either.
 */
const payTwice: Step = async (history) => {
  const { provider, random } = history
  const call = { ...callOf(history.person().claims), body: plan(history) }
  const ordered = await createOrder(history.ctx(), call)
  const { paymentLink } = await createPaymentLink(history.ctx(), call)
  const stored = Object.values(provider.state().links).find(
    ({ entity }) => entity.id === paymentLink.id,
  )
  if (stored === undefined) return
  await provider.openLink(stored.code)
  const waiting = provider.sent.length
  const { orderId } = stored
  if (typeof orderId === 'string') await payOrder(history, orderId, ['success'])
  await history.advance(1)
  if (random.chance(0.5)) provider.sent.splice(waiting)
  await payOrder(history, ordered.order.id, ['success'])
  if (random.chance(0.3)) await disputeOneOf(history, ordered.purchaseId)
}

/** The browser comes back from a paid link. */
const comeBack: Step = (history) => {
  const paid = Object.values(history.provider.state().links).filter(({ entity }) => entity.payments)
  const chosen = history.random.pick(paid)?.entity
  const paymentId = chosen?.payments?.[0]?.payment_id
  if (chosen === undefined || paymentId === undefined) return Promise.resolve()
  const { id, reference_id: referenceId, status } = chosen
  const signed = signLink({ id, referenceId, status, paymentId }, testSecrets.RAZORPAY_KEY_SECRET)
  return returnFromLink(history.ctx(), {
    razorpay_payment_link_id: id,
    razorpay_payment_link_reference_id: referenceId,
    razorpay_payment_link_status: status,
    razorpay_payment_id: paymentId,
    razorpay_signature: signed,
  })
}

const verify: Step = async (history) => {
  const { random, bought } = history
  const chosen = random.pick(bought)
  if (chosen === undefined) return
  const { orderId, paymentId, signature } = chosen
  const body = { orderId, paymentId, signature }
  const person = random.chance(0.2) ? history.person() : chosen.person
  await (random.chance(0.5)
    ? verifyPayment(history.ctx(), { ...callOf(person.claims), body })
    : activateOrderPublic(history.ctx(), { ...NO_INPUT, body }))
}

const ask: Step = (history) => activateSubscription(history.ctx(), callOf(history.person().claims))

const late: Step = async ({ provider, random, ...history }) => {
  const open = payments({ provider, random, ...history })
  const failed = random.pick(open.filter(({ status }) => ['failed', 'created'].includes(status)))
  if (failed) await provider.control(`/payments/${failed.id}/late_authorize`)
}

const capture: Step = async (history) => {
  const authorized = payments(history).filter(({ status }) => status === 'authorized')
  const chosen = history.random.pick(authorized)
  const action = history.random.chance(0.7) ? 'capture' : 'auto_refund'
  if (chosen) await history.provider.control(`/payments/${chosen.id}/${action}`)
}

const refund: Step = async (history) => {
  const { provider, random } = history
  const chosen = random.pick(payments(history).filter(({ captured }) => captured))
  if (chosen === undefined) return
  const left = chosen.amount - chosen.amount_refunded
  const body = random.chance(0.5) ? {} : { amount: random.int(1, Math.max(1, left)) }
  await provider.control('/settings', { refundsStayPending: random.chance(0.3) })
  await provider.control(`/payments/${chosen.id}/refund`, body)
}

/** A buyer asks for the refund of a purchase, after signing in again. */
const askBack: Step = async (history) => {
  const { userId } = history.person().claims
  const own = await history.read(
    `SELECT id FROM purchases WHERE user_id = '${userId}' AND paid_at > 0`,
  )
  await askBackOf(history, userId, String(history.random.pick(own)?.['id']))
}

async function askBackOf(history: History, userId: string, purchaseId: string): Promise<void> {
  const { random, people } = history
  const { claims } = people.find((person) => person.claims.userId === userId) ?? fail()
  const { db, now } = history.ctx()
  await db.batch([
    db.run(sql`UPDATE sessions SET confirmed_at = ${now} WHERE id = ${claims.sessionId}`),
  ])
  const call = { ...callOf(claims), params: { purchaseId } }
  const { refund } = await refundQuote(history.ctx(), call)
  const body = { amount: random.chance(0.9) ? refund.amount : random.int(1, 300_000) }
  await askRefund(history.ctx(), { ...call, body })
}

/**
 * An admin gives money of a purchase back, by the formula. Before it is sent, the buyer may ask for it too, and a bank may take
 * some of it.
 */
const giveBack: Step = async (history) => {
  const { random, read } = history
  const paid = await read(`SELECT id, user_id FROM purchases WHERE paid_at > 0`)
  const chosen = random.pick(paid)
  if (chosen === undefined) return
  const [userId, purchaseId] = [String(chosen['user_id']), String(chosen['id'])]
  await adminOf(history).execute('refund', { user: userId, purchase: purchaseId })
  if (random.chance(0.2)) await disputeOneOf(history, purchaseId)
  if (random.chance(0.4)) await askBackOf(history, userId, purchaseId)
}

/** A bank takes some or all of a captured payment on the orders of a purchase. */
async function disputeOneOf(history: History, purchaseId: string): Promise<void> {
  const { random, provider } = history
  const { orders } = provider.state()
  const isOwn = (orderId: string | null) => orders[orderId ?? '']?.entity.receipt === purchaseId
  const own = payments(history).filter(({ captured, order_id }) => captured && isOwn(order_id))
  const chosen = random.pick(own)
  if (chosen === undefined) return
  const amount = random.chance(0.5) ? chosen.amount : random.int(1, chosen.amount)
  await provider.control(`/payments/${chosen.id}/dispute`, { event: 'created', amount })
  if (random.chance(0.7)) await deliverSome(history, provider.sent.length)
}

/** An admin gives or takes tokens by hand. */
const adjust: Step = async (history) => {
  const { userId } = history.person().claims
  const tokens = history.random.int(1, 300_000) * (history.random.chance(0.5) ? 1 : -1)
  await adminOf(history).execute('adjust_tokens', { user: userId, tokens: String(tokens) })
}

const moveRefund: Step = async ({ provider, random }) => {
  const chosen = random.pick(Object.values(provider.state().refunds))
  const status = random.pick(['processed', 'failed'])
  if (chosen) await provider.control(`/refunds/${chosen.entity.id}`, { status })
}

const dispute: Step = async (history) => {
  const { provider, random } = history
  const { disputes } = provider.state()
  const disputed = random.pick(Object.values(disputes))
  const paid = payments(history).filter(({ captured }) => captured)
  const chosen = disputed ? paid.find(({ id }) => id === disputed.payment_id) : random.pick(paid)
  if (chosen === undefined) return
  const steps = ['under_review', 'action_required', 'won', 'closed', 'lost', 'accepted', 'reopened']
  const event = disputed && random.chance(0.8) ? random.pick(steps) : 'created'
  const amount = random.chance(0.5) ? chosen.amount : random.int(1, chosen.amount)
  const phase = random.pick(['chargeback', 'chargeback', 'retrieval', 'arbitration'])
  const currency = random.chance(0.9) ? chosen.currency : random.pick(['INR', 'USD'])
  await provider.control(`/payments/${chosen.id}/dispute`, { event, amount, phase, currency })
  if (random.chance(0.7)) await deliverSome(history, provider.sent.length)
}

const deliver: Step = (history) => deliverSome(history, history.random.int(1, 6))

async function deliverSome(history: History, most: number): Promise<void> {
  const { random, provider } = history
  for (let count = most; count > 0 && provider.sent.length > 0; count -= 1) {
    const place = random.int(0, provider.sent.length - 1)
    const sent = provider.sent[place]
    if (sent === undefined) return
    const eventId = random.chance(0.1) ? `EMUagain${random.int(1, 999)}` : sent.eventId
    // Razorpay sends unreceived webhooks again, and some of the others.
    await receiveWebhook(history.ctx(), { ...sent, eventId })
    if (random.chance(0.8)) provider.sent.splice(place, 1)
  }
}

const lose: Step = ({ random, provider, unclear }) => {
  const lost = provider.sent.splice(0, random.int(1, 4))
  // Only the audit finds what is lost after the capture, and only for some days.
  for (const { body } of lost.filter(({ event }) => /refund|dispute/.test(event))) {
    unclear.add(
      AboutPayment.parse(JSON.parse(Buffer.from(body).toString())).payload.payment.entity.id,
    )
  }
  return Promise.resolve()
}

const use: Step = async (history) => {
  const person = history.person()
  const body = { amount: history.random.int(1, 700_000) }
  const call = { ...callOf(person.claims), body, idempotencyKey: key(history) }
  const work = () => useTokens(history.ctx(), call)
  if (!person.isGone) {
    await work()
    return
  }
  // Without a session the call is refused, and must not use tokens.
  const entries = () => history.read('SELECT count(*) AS entries FROM ledger')
  const before = await entries()
  expect(await tolerate(work), 'the call is refused').toBe(false)
  expect(await entries()).toEqual(before)
}

const leave: Step = async (history) => {
  const person = history.person()
  const { userId, sessionId } = person.claims
  if (history.random.chance(0.2)) {
    const { db, now } = history.ctx()
    await db.batch([db.run(sql`UPDATE sessions SET ended_at = ${now} WHERE id = ${sessionId}`)])
    person.isGone = true
    return
  }
  if (person.isGone || history.random.chance(0.5)) return
  await deleteAccount(history.ctx(), { ...callOf(person.claims), body: { password: PASSWORD } })
  const [row] = await history.read(`SELECT deleted_at FROM users WHERE id = '${userId}'`)
  person.isGone = row?.['deleted_at'] !== null
}

const run: Step = (history) => settleOpenPurchases(history.ctx())
const audit: Step = (history) => auditPurchases(history.ctx())

/** Time passes. Daily jobs run when a day is over; the jobs of each minute are a step of their own. */
const wait: Step = async (history) => {
  const { random, advance } = history
  let left = random.pick([MINUTE, MINUTE, 10 * MINUTE, HOUR, 6 * HOUR, DAY, 3 * DAY]) ?? 0
  while (left > 0) {
    const passed = Math.min(left, DAY)
    left -= passed
    await advance(passed)
    history.unaudited += passed
    if (history.unaudited < DAY) continue
    await auditPurchases(history.ctx())
    history.unaudited = 0
  }
}

const outage: Step = ({ random, provider }) => {
  const action = random.pick([
    { type: 'status', code: 503, body: 'html' },
    { type: 'status', code: 409 },
    { type: 'reset' },
    { type: 'commit_then_reset' },
    { type: 'commit_then_504' },
    { type: 'truncated_json' },
  ])
  const match = { path: '/v1/*' }
  return provider.control('/faults', { match, times: random.int(1, 5), action })
}

const STEPS: Record<string, { share: number; step: Step }> = {
  order: { share: 8, step: order },
  link: { share: 3, step: link },
  'order and link': { share: 4, step: orderAndLink },
  pay: { share: 14, step: pay },
  scenario: { share: 4, step: scenario },
  'pay link': { share: 6, step: payLink },
  'pay twice': { share: 4, step: payTwice },
  'come back': { share: 3, step: comeBack },
  verify: { share: 8, step: verify },
  ask: { share: 3, step: ask },
  late: { share: 3, step: late },
  capture: { share: 3, step: capture },
  refund: { share: 8, step: refund },
  'ask back': { share: 6, step: askBack },
  'give back': { share: 4, step: giveBack },
  adjust: { share: 2, step: adjust },
  'move refund': { share: 4, step: moveRefund },
  dispute: { share: 11, step: dispute },
  deliver: { share: 14, step: deliver },
  lose: { share: 1, step: lose },
  use: { share: 6, step: use },
  leave: { share: 3, step: leave },
  run: { share: 8, step: run },
  audit: { share: 2, step: audit },
  wait: { share: 6, step: wait },
  outage: { share: 2, step: outage },
}

const ALL = Object.entries(STEPS).flatMap(([name, { share, step }]) =>
  Array.from({ length: share }, (): [string, Step] => [name, step]),
)

/** The steps without which nothing else can happen. */
const FIRST_STEPS: [string, Step][] = [
  ['order', order],
  ['pay', pay],
]

function chooseStep({ random }: History): [string, Step] {
  return random.pick(ALL) ?? ['wait', wait]
}

/** Delivers the remaining webhooks, lets the jobs run for days, and compares with Razorpay's state. */
async function endHistory(history: History): Promise<void> {
  const { provider, random, advance, check } = history
  history.endsAt = history.world.now()
  await provider.control('/settings', { refundsStayPending: false })
  provider.state().faults = []
  const tick = async () => {
    while (provider.sent.length > 0) {
      const [sent] = provider.sent.splice(random.int(0, provider.sent.length - 1), 1)
      if (sent) await tolerate(() => receiveWebhook(history.ctx(), sent))
    }
    await tolerate(() => settleOpenPurchases(history.ctx()))
    await tolerate(history.world.drain)
  }
  // Jobs run each minute, long enough for all tries of a webhook about an order that was never confirmed here.
  for (const minutes of [0, 1, 1, 2, 4, 8, 16, 32]) {
    await advance(1 + minutes * MINUTE)
    await tick()
  }
  for (const seconds of [DAY, DAY, 4 * DAY, HOUR]) {
    await advance(seconds)
    await tick()
    if (seconds !== DAY) continue
    // Before the audit, which finds what webhooks did not report.
    await assertMoneyIsKnown(history, 'on a link')
    await tolerate(() => auditPurchases(history.ctx()))
  }
  await check()
  await assertMoneyIsKnown(history, 'anywhere')
  await assertFactsAreKnown(history)
}

/** The tokens left of each purchase and gift are the ones that the entries add up to. */
function assertLotsFollowTheLedger(entries: Rows, lots: Rows): void {
  const kept = lots.map(({ ref, left }) => `${String(ref)} ${String(left)}`)
  const expected = [...expectedLots(z.array(Entry).parse(entries))].map(
    ([ref, left]) => `${ref} ${left}`,
  )
  if (kept.toSorted().join() !== expected.toSorted().join()) {
    throw new Error(`lots are ${kept.join()} and should be ${expected.join()}`)
  }
}

/**
 * We keep no money without tokens or a debt. The jobs alone find money on a link that could be paid until the end; the
 * audit finds money on an older link, when no job ran while it could be paid.
 */
async function assertMoneyIsKnown(
  { provider, read, endsAt }: History,
  where: 'anywhere' | 'on a link',
): Promise<void> {
  const { orders, links } = provider.state()
  const ours = new Set((await read('SELECT id FROM purchases')).map(({ id }) => id))
  const lastLinks = Object.values(links).filter(({ entity }) => entity.expire_by * 1_000 > endsAt)
  const onLinks = new Set(lastLinks.map(({ orderId }) => orderId))
  const known = new Set(
    (
      await read(`SELECT payment_id AS id FROM grants UNION SELECT payment_id FROM owed_refunds`)
    ).map(({ id }) => id),
  )
  const lost = Object.values(provider.state().payments)
    .map(({ entity }) => entity)
    .filter(
      ({ captured, order_id }) => captured && ours.has(orders[order_id]?.entity.receipt ?? ''),
    )
    .filter(({ order_id }) => where === 'anywhere' || onLinks.has(order_id))
    .filter(({ id }) => !known.has(id))
  if (lost.length > 0) throw new Error(`money without tokens: ${lost.map(({ id }) => id).join()}`)
}

/**
 * All that Razorpay knows of captured money is known here, and every pending refund was sent, unless a bank still disputes its payment, or its
 * amount is wrong and a person decides. What follows from the facts, such as tokens and credit notes, `failedChecks` decides
 * again, and core-history.ts compares with the money.
 */
async function assertFactsAreKnown({ provider, read, unclear }: History): Promise<void> {
  const { refunds, disputes, payments: paid } = provider.state()
  const rows = await read(`SELECT id, state, amount_minor AS amount FROM refunds_and_disputes`)
  const here = new Map(
    rows.map(({ id, state, amount }) => [id, `${String(state)} ${String(amount)}`]),
  )
  const facts = [
    ...Object.values(refunds).map(({ entity }) => toRefundFact(RefundEntity.parse(entity))),
    ...Object.values(disputes).map((entity) => toDisputeFact(DisputeEntity.parse(entity))),
  ].filter(({ paymentId: id }) => !unclear.has(id) && paid[id]?.entity.captured === true)
  for (const { id, paymentId, state, amountMinor } of facts) {
    const [there, known] = [`${state} ${amountMinor}`, here.get(id) ?? 'unknown']
    if (there !== known) throw new Error(`${id} of ${paymentId} is ${there}, and ${known} here`)
  }
  const disputed = facts.filter(({ kind, state }) => kind === 'dispute' && state === 'open')
  const waiting = await read(
    `SELECT payment_id AS id, reason FROM owed_refunds WHERE reason <> 'mismatch' AND done_at IS NULL`,
  )
  const unsent = waiting.filter(
    ({ id }) => !unclear.has(String(id)) && !disputed.some(({ paymentId }) => paymentId === id),
  )
  if (unsent.length > 0) throw new Error(`pending refunds were not sent: ${JSON.stringify(unsent)}`)
}
