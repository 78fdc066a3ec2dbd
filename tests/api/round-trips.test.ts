import { newRegistration } from '../harness/registration.ts'
import { randomUUID } from 'node:crypto'
import { and, isNotNull, lte, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mails } from '../../edge-api/db/schema/records.ts'
import { exampleOf } from '../../site/openapi/examples.ts'
import {
  changePasswordEndpoint,
  forgotPasswordEndpoint,
  resendVerificationEndpoint,
} from '../../src/contract/credential.ts'
import { authorizeDeviceEndpoint, confirmDeviceEndpoint } from '../../src/contract/device.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { ENDPOINTS } from '../../src/contract/endpoints.ts'
import {
  addPasskeyEndpoint,
  addTotpEndpoint,
  factorsEndpoint,
  passkeyChallengeEndpoint,
  startPasskeyEndpoint,
  startTotpEndpoint,
} from '../../src/contract/factor.ts'
import { healthEndpoint } from '../../src/contract/health.ts'
import { USE_BATCH_MAX } from '../../src/contract/limits.ts'
import { purchasesEndpoint } from '../../src/contract/receipt.ts'
import { refundQuoteEndpoint } from '../../src/contract/refund.ts'
import { loginEndpoint } from '../../src/contract/session.ts'
import {
  cancelSubscriptionEndpoint,
  currentSubscriptionEndpoint,
} from '../../src/contract/subscription.ts'
import { ask, askGood, bad, good } from '../harness/ask.ts'
import { newAuthenticator } from '../harness/authenticator.ts'
import { codeAt } from '../harness/factors.ts'
import { createUser, type TestUser, type TestUserOptions, signInAgain } from '../harness/user.ts'
import { type Recorder, startRecorder } from '../harness/recorder.ts'
import { ANSWER_BYTES } from '../../tools/bench/budgets.ts'
import { seedHistory, seedUsers, throughServer } from '../../tools/bench/seed.ts'
import {
  type Emulator,
  type Sqld,
  startEmulator,
  startSqld,
  startWorker,
  type Worker,
} from '../harness/services.ts'
import { scansOf } from '../harness/scans.ts'
import { database, mailedSecret } from '../harness/stored.ts'
import { ROUND_TRIPS_OF_JOURNEYS, roundTripsOf } from '../harness/round-trips.ts'
import { type Answer, bytesOf, newVisitor, type Visitor } from '../harness/visitor.ts'
import { controlOf, paymentEvent, sendWebhook } from '../harness/fixture/razorpay.ts'

interface Parts {
  params?: unknown
  query?: unknown
  body?: unknown
}

interface Row {
  /** Database round trips before the answer is sent, when they are not as many as it may take. */
  roundTrips?: number
  /** The most rows it reads, for a caller with a long history among a thousand others; ROWS_MAX when left out. */
  rows?: number
  /** Why a read takes more than one round trip, a write more than two, or either reads more than ROWS_MAX rows. */
  because?: string
  user?: TestUserOptions
  /** Sets up what the call needs, and returns what to send. */
  prepare?: (user: TestUser) => Parts | Promise<Parts>
}

interface Site {
  worker: Worker
  sqld: Sqld
  emulator: Emulator
  recorder: Recorder
}

// A separate site, because its statements are recorded.
let site: Site
beforeAll(async () => {
  const [sqld, emulator] = await Promise.all([
    startSqld(),
    startEmulator({ webhookUrl: 'http://127.0.0.1:9/none' }),
  ])
  const recorder = await startRecorder(sqld.url)
  const worker = await startWorker({ databaseUrl: recorder.url, emulatorUrl: emulator.url })
  site = { worker, sqld, emulator, recorder }
  await seedUsers(seed(), OTHERS)
})
afterAll(async () => {
  const { worker, recorder, emulator, sqld } = site
  await worker.stop()
  await Promise.all([recorder.stop(), emulator.stop(), sqld.stop()])
})

/** Enough that a call which reads all rows of a table, or all of its caller's, reads more than its bound. */
const OTHERS = 1_000
/** The tokens that `seedHistory` grants. */
const PAST_TOKENS = 40_001_400
const PAST = { uses: 400, others: 200 }

/** No call reads more without a reason. A caller has as many events, ended sign-ins and usage sessions, and more uses. */
const ROWS_MAX = PAST.others

const seed = () => ({ run: throughServer(site.sqld.url), now: Date.now() })

/** Gives an account a long history, in one transaction. */
async function giveAPast({ userId }: { userId: string }): Promise<void> {
  const past: string[] = []
  const run = (statements: string[]) => void past.push(...statements)
  await seedHistory({ ...seed(), run }, { userId, ...PAST })
  await seed().run(past)
}

const place = () => ({ siteUrl: site.worker.url, databaseUrl: site.sqld.url })
const secretFor = (email: string, path: 'verify-email' | 'reset-password' | 'not-me') =>
  mailedSecret(email, path, site.sqld.url)

const visitor = () => newVisitor(site.worker.url)

/**
 * A read takes one round trip and a write at most two; the session is checked in the first. A call without a row is sent
 * as its example says and may take that many. Give it a row when it must be prepared, or to hold a lower number.
 */
const TABLE: Record<string, Row> = {
  register: { roundTrips: 1, prepare: () => ({ body: newRegistration() }) },
  login: { prepare: ({ email, password }) => ({ body: { email, password } }) },
  secondStep: {
    prepare: async (user) => {
      const { recoveryCodes } = await setUpTotp(user)
      const { email, password } = user
      const first = await ask(visitor(), loginEndpoint, { body: { email, password } })
      const code = recoveryCodes[0]
      return { body: { ticket: bad(first).secondStep?.ticket, proof: { kind: 'recovery', code } } }
    },
  },
  passkeyChallenge: { roundTrips: 0 },
  passkeySignIn: { prepare: async (user) => ({ body: await passkeyAnswer(user) }) },
  stepUp: {
    prepare: async (user) => ({
      body: { proof: { kind: 'passkey', ...(await passkeyAnswer(user)) } },
    }),
  },
  startTotp: { roundTrips: 1 },
  addTotp: { prepare: async (user) => ({ body: await totpAnswer(user) }) },
  removeTotp: { prepare: withTotp },
  startPasskey: { roundTrips: 1 },
  addPasskey: {
    prepare: async (user) => {
      const { sealed, options } = await askGood(user, startPasskeyEndpoint)
      return { body: { sealed, credential: newPasskey().create(options) } }
    },
  },
  renamePasskey: { roundTrips: 1, prepare: async (user) => ({ params: await newPasskeyId(user) }) },
  removePasskey: { prepare: async (user) => ({ params: await newPasskeyId(user) }) },
  renewRecoveryCodes: { prepare: withTotp },
  logout: { roundTrips: 1 },
  me: { rows: 60 },
  providers: { roundTrips: 0 },
  forgotPassword: { roundTrips: 1, prepare: ({ email }) => ({ body: { email } }) },
  checkResetLink: { prepare: async (user) => ({ params: await resetLink(user) }) },
  resetPassword: {
    prepare: async (user) => ({
      params: await resetLink(user),
      body: { password: 'Louder-Otter-43' },
    }),
  },
  notMe: {
    prepare: async (user) => {
      const body = { currentPassword: user.password, newPassword: 'Louder-Otter-43' }
      await askGood(user, changePasswordEndpoint, { body })
      return { params: { token: await secretFor(user.email, 'not-me') } }
    },
  },
  verifyEmail: {
    roundTrips: 2,
    because: 'the mailbox must be known before the trial tokens are granted',
    user: { isVerified: false },
    prepare: async (user) => {
      await askGood(user, resendVerificationEndpoint)
      return { params: { token: await secretFor(user.email, 'verify-email') } }
    },
  },
  resendVerification: { user: { isVerified: false } },
  deleteAccount: { rows: 3_000, because: 'it deletes all that the caller left' },
  endSession: {
    prepare: async (user) => ({ params: { id: (await signInAgain(user, place())).sessionId } }),
  },
  exportData: { rows: 3_000, because: 'it reads all that the caller left' },
  ownSubmissions: { roundTrips: 2, because: 'it checks the confirmation before it reads' },
  authorizeDevice: { roundTrips: 1 },
  deviceToken: {
    prepare: async (user) => {
      const { user_code: userCode, device_code } = await askForSignIn()
      await askGood(user, confirmDeviceEndpoint, { body: { userCode, approve: true } })
      return { body: { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code } }
    },
  },
  deviceRequest: {
    prepare: async () => ({ params: { userCode: (await askForSignIn()).user_code } }),
  },
  confirmDevice: {
    prepare: async () => ({ body: { userCode: (await askForSignIn()).user_code, approve: true } }),
  },
  appPolicy: { roundTrips: 0 },
  planAmounts: { roundTrips: 0 },
  plans: { roundTrips: 0 },
  plansWithPricing: { roundTrips: 0 },
  cancelSubscription: { user: { hasPlan: true } },
  reactivateSubscription: {
    user: { hasPlan: true },
    prepare: async (user) => {
      await askGood(user, cancelSubscriptionEndpoint)
      return {}
    },
  },
  useTokens: { roundTrips: 1, user: { tokens: 10_000 } },
  useTokensBatch: {
    roundTrips: 1,
    rows: 18_500,
    because: 'it enters up to 500 uses, each with its guards and sums',
    user: { tokens: 1_000_000 },
    prepare: () => ({ body: { uses: aQueue(USE_BATCH_MAX) } }),
  },
  statement: { rows: 2_000, because: 'it sums up all entries of a month' },
  createTokenOrder: { user: { hasPlan: true } },
  paymentStatus: {
    user: { hasPlan: true },
    prepare: async (user) => ({ params: { id: await boughtBy(user) } }),
  },
  ledgerFile: { rows: 300, because: 'it has all entries of a month' },
  receipts: {
    rows: 300,
    because: 'it lists all receipts of a month',
    user: { hasPlan: true },
    prepare: () => ({ query: { month: '2026-11' } }),
  },
  receipt: {
    user: { hasPlan: true },
    prepare: async (user) => ({ params: { purchaseId: await boughtBy(user) } }),
  },
  refundQuote: {
    user: { hasPlan: true },
    prepare: async (user) => ({ params: { purchaseId: await refundableOf(user) } }),
  },
  askRefund: {
    user: { hasPlan: true },
    prepare: async (user) => {
      const params = { purchaseId: await refundableOf(user) }
      const { refund } = await askGood(user, refundQuoteEndpoint, { params })
      return { params, body: { amount: refund.amount } }
    },
  },
  mailRefundLink: {
    user: { hasPlan: true },
    prepare: async (user) => {
      const db = database(site.sqld.url)
      await db.batch([db.run(sql`UPDATE users SET password_hash = '' WHERE id = ${user.userId}`)])
      return { params: { purchaseId: await refundableOf(user) } }
    },
  },
  submitTicket: { roundTrips: 1 },
  apply: { roundTrips: 1 },
  live: { roundTrips: 0 },
  // An answer of the database is reused for ten seconds.
  health: {
    roundTrips: 0,
    prepare: async () => {
      await askGood(visitor(), healthEndpoint)
      return {}
    },
  },
}

const newPasskey = () => newAuthenticator({ origin: site.worker.url })

/** A desktop app asks for a sign-in. */
function askForSignIn() {
  const body = { client_name: 'Desktop app on Windows' }
  return askGood(visitor(), authorizeDeviceEndpoint, { body })
}

async function resetLink({ email }: TestUser) {
  await askGood(visitor(), forgotPasswordEndpoint, { body: { email } })
  return { token: await secretFor(email, 'reset-password') }
}

/** This many uses, none of them reported before. */
function aQueue(length: number) {
  return Array.from({ length }, () => ({ idempotencyKey: randomUUID(), amount: 1_200 }))
}

/** What adds an authenticator app. */
async function totpAnswer(user: TestUser) {
  const { secret, sealed } = await askGood(user, startTotpEndpoint)
  return { sealed, code: codeAt(secret, Date.now()) }
}

const setUpTotp = async (user: TestUser) =>
  askGood(user, addTotpEndpoint, { body: await totpAnswer(user) })

/** Needs an authenticator app, and nothing is sent. */
async function withTotp(user: TestUser) {
  await setUpTotp(user)
  return {}
}

async function newPasskeyId(user: TestUser) {
  await setUpPasskey(user)
  return { id: (await askGood(user, factorsEndpoint)).passkeys[0]?.id }
}

async function setUpPasskey(user: TestUser) {
  const passkey = newPasskey()
  const { sealed, options } = await askGood(user, startPasskeyEndpoint)
  const body = { sealed, credential: passkey.create(options) }
  await askGood(user, addPasskeyEndpoint, { body })
  return passkey
}

/** What a new passkey of the user answers to a challenge. */
async function passkeyAnswer(user: TestUser) {
  const passkey = await setUpPasskey(user)
  const { sealed, options } = await askGood(visitor(), passkeyChallengeEndpoint)
  return { sealed, credential: passkey.get(options) }
}

async function boughtBy(user: TestUser): Promise<string> {
  const { purchases } = await askGood(user, purchasesEndpoint)
  return purchases[0]?.purchaseId ?? ''
}

/** The plan that the user bought just now, not long ago. */
async function refundableOf(user: TestUser): Promise<string> {
  const { purchases } = await askGood(user, purchasesEndpoint, { query: { limit: 100 } })
  return purchases.find(({ refundableUntil }) => refundableUntil !== null)?.purchaseId ?? ''
}

/** The others are in ROUND_TRIPS_OF_JOURNEYS and measured by the tests of those journeys. */
const own = ENDPOINTS.filter(({ id }) => !(id in ROUND_TRIPS_OF_JOURNEYS))

/** An answer and how many rows were read for it. Each statement must find its rows by an index. */
async function counted(call: () => Promise<Answer>) {
  // The Worker sends mail after it has answered: those statements belong to the call before.
  await expect.poll(dueMails).toEqual([])
  const before = site.recorder.exchanges().length
  const answer = await call()
  const own = site.recorder.exchanges().slice(before)
  expect(await scansIn(own)).toEqual([])
  return { answer, rows: own.reduce((sum, { rowsRead }) => sum + rowsRead, 0) }
}

/** Mail to users that is not sent yet. An alert for the operator waits for the job. */
async function dueMails() {
  const db = database(site.sqld.url)
  const [rows] = await db.batch([
    db
      .select({ id: mails.id })
      .from(mails)
      .where(and(lte(mails.dueAt, Date.now()), isNotNull(mails.userId))),
  ])
  return rows
}

/** Statements of the Worker that read a whole table. */
function scansIn(exchanges: ReturnType<Recorder['exchanges']>) {
  const texts = new Set(exchanges.flatMap(({ statements }) => statements))
  const own = [...texts].filter((text) => /^\s*(select|with|insert|update|delete)/i.test(text))
  return scansOf(database(site.sqld.url), own)
}

async function send(endpoint: Endpoint, from: Visitor, parts: Parts) {
  const { params, query, body } = { ...exampleOf(endpoint), ...parts }
  return ask(from, endpoint, { params, query, body })
}

// First, because the other tests leave thousands of ended sessions, which the daily job would delete.
test('every statement of the jobs finds its rows by an index', async () => {
  const before = site.recorder.exchanges().length
  await site.worker.runCron()
  await site.worker.runCron('17 3 * * *')
  const own = site.recorder.exchanges().slice(before)
  // Before anything is expected: the Worker would send this mail during the calls of the other tests, which wait for it.
  const db = database(site.sqld.url)
  await db.batch([db.delete(mails).where(isNotNull(mails.dueAt))])
  expect(own.length).toBeGreaterThan(10)
  expect(await scansIn(own)).toEqual([])
})

/** The sentence of the call's example, which its answer has too. */
function sentenceOf(endpoint: Endpoint): object {
  const { message } = Object(exampleOf(endpoint).success)
  return message === undefined ? {} : { message }
}

test.each(own)(
  '$id succeeds as the contract says, in its number of round trips, and reads no more rows than its bound',
  async (endpoint) => {
    const row: Partial<Row> = TABLE[endpoint.id] ?? {}
    const user = await createUser({ ...row.user, ...place() })
    if (endpoint.access === 'session' || row.prepare !== undefined) await giveAPast(user)
    const parts = (await row.prepare?.(user)) ?? {}
    const from = endpoint.access === 'session' ? user : visitor()
    const { answer, rows } = await counted(() => send(endpoint, from, parts))
    expect(good(endpoint, answer)).toMatchObject(sentenceOf(endpoint))
    // A call without round trips read nothing; the rows belong to background work of the call before it.
    if (roundTripsOf(answer) > 0) expect(rows).toBeLessThanOrEqual(row.rows ?? ROWS_MAX)
    const bytes = ANSWER_BYTES[endpoint.id]
    if (bytes !== undefined) expect(bytesOf(answer)).toBeLessThanOrEqual(bytes)
    const roundTrips = roundTripsOf(answer)
    if (row.roundTrips === undefined)
      expect(roundTrips).toBeLessThanOrEqual(mostRoundTrips(endpoint))
    else expect(roundTrips).toBe(row.roundTrips)
  },
)

/** Endpoints that a browser reaches by GET on its way back from another site, and that write. */
const RETURNS = ['googleCallback', 'paymentLinkCallback']

function mostRoundTrips({ id, method }: Endpoint): number {
  return method === 'GET' && !RETURNS.includes(id) ? 1 : 2
}

test('a read takes at most one round trip, a write two and each 200 rows, or the table says why not', () => {
  const table: Record<string, Pick<Row, 'roundTrips' | 'rows' | 'because'>> = {
    ...TABLE,
    ...Object.fromEntries(
      Object.entries(ROUND_TRIPS_OF_JOURNEYS).map(([id, roundTrips]) => [id, { roundTrips }]),
    ),
  }
  const dear = ENDPOINTS.filter((endpoint) => {
    const { roundTrips = 0, rows = 0, because } = table[endpoint.id] ?? {}
    return (roundTrips > mostRoundTrips(endpoint) || rows > ROWS_MAX) && because === undefined
  })
  expect(dear.map(({ id }) => id)).toEqual([])
})

/** Pays an order whose webhooks are all lost. */
const payQuietly = (made: Answer) =>
  controlOf(site.emulator.url).payQuietly(String(Object(made.body).order.id))

/** The round trips of a call. */
async function costOf(call: () => Promise<Answer>): Promise<number> {
  const { answer, rows } = await counted(call)
  expect(answer.status).toBe(200)
  // Settling looks through the purchases of the buyer, who has 40.
  expect(rows).toBeLessThanOrEqual(300)
  return roundTripsOf(answer)
}

async function oldBuyer() {
  const buyer = await createUser(place())
  await giveAPast(buyer)
  return buyer
}

test('a payment takes at most two round trips and 300 rows, and one trip when it is repeated', async () => {
  const buyer = await oldBuyer()
  const post = (path: string, json: object = {}) => buyer.call(`/api/payment/${path}`, { json })
  const first = await post('create-order', { planType: 'pro' })
  const roundTrips: Record<string, number> = {
    order: roundTripsOf(first),
    reorder: await costOf(() => post('create-order', { planType: 'pro' })),
  }
  const { order } = Object(first.body)
  const json = await payQuietly(first)
  roundTrips['verifyPayment'] = await costOf(() => post('verify-payment', json))
  roundTrips['verifyAgain'] = await costOf(() => post('verify-payment', json))
  const body = paymentEvent('payment.captured', { id: json.paymentId, order_id: order.id })
  roundTrips['razorpayWebhook'] = await costOf(() => sendWebhook(site.worker.url, body))
  roundTrips['activateAgain'] = await costOf(() => post('activate-subscription-immediate'))
  const pack = await payQuietly(await post('create-token-order'))
  roundTrips['activateTokenPurchase'] = await costOf(() => post('activate-token-purchase', pack))
  expect(roundTrips).toEqual({
    order: 2,
    reorder: 1,
    verifyPayment: ROUND_TRIPS_OF_JOURNEYS.verifyPayment,
    verifyAgain: 1,
    razorpayWebhook: ROUND_TRIPS_OF_JOURNEYS.razorpayWebhook,
    activateAgain: 1,
    activateTokenPurchase: ROUND_TRIPS_OF_JOURNEYS.activateTokenPurchase,
  })
})

test.each([
  ['activateOrderPublic', 'activate-order-public'],
  ['activateSubscriptionImmediate', 'activate-subscription-immediate'],
] as const)('%s takes at most two round trips', async (id, path) => {
  const buyer = await oldBuyer()
  const json = { planType: 'pro' }
  const proof = await payQuietly(await buyer.call('/api/payment/create-order', { json }))
  const roundTrips = await costOf(() => buyer.call(`/api/payment/${path}`, { json: proof }))
  expect(roundTrips).toBe(ROUND_TRIPS_OF_JOURNEYS[id])
  const { tokens } = await askGood(buyer, currentSubscriptionEndpoint)
  expect(tokens.total).toBe(PAST_TOKENS + 1_000_000)
})
