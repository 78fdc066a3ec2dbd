import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { meEndpoint } from '../../src/contract/account.ts'
import {
  changePasswordEndpoint,
  forgotPasswordEndpoint,
  resetPasswordEndpoint,
  verifyEmailEndpoint,
} from '../../src/contract/credential.ts'
import { exportDataEndpoint } from '../../src/contract/data-export.ts'
import { purchasesEndpoint } from '../../src/contract/receipt.ts'
import {
  authorizeDeviceEndpoint,
  confirmDeviceEndpoint,
  deviceTokenEndpoint,
} from '../../src/contract/device.ts'
import { healthEndpoint, liveEndpoint } from '../../src/contract/health.ts'
import { SERVER } from '../../src/contract/messages.ts'
import { planAmountsEndpoint } from '../../src/contract/plans.ts'
import { createOrderEndpoint, verifyPaymentEndpoint } from '../../src/contract/purchase.ts'
import { useTokensEndpoint } from '../../src/contract/report-usage.ts'
import { loginEndpoint, registerEndpoint } from '../../src/contract/session.ts'
import { submitTicketEndpoint } from '../../src/contract/support.ts'
import { applyMigrations } from '../../tools/services/migrate.ts'
import { ask, askGood, bad } from '../harness/ask.ts'
import { createUser, type TestUserOptions } from '../harness/user.ts'
import { newRegistration } from '../harness/registration.ts'
import { type Site, startSite, testSecrets } from '../harness/services.ts'
import { database, mailedSecret, mailsTo } from '../harness/stored.ts'
import { testFolder } from '../harness/test-folder.ts'
import { type Answer, newVisitor, signedIn, type Visitor } from '../harness/visitor.ts'
import {
  controlOf,
  paymentEvent,
  type RazorpayControl,
  sendWebhook,
} from '../harness/fixture/razorpay.ts'

// A separate site, because its parts are killed, its log is searched, its jobs run ahead of time and its database is
// migrated. In this order.
let site: Site
let razorpay: RazorpayControl
beforeAll(async () => {
  site = await startSite()
  razorpay = controlOf(site.emulator.url)
})
afterAll(() => site.stop())

const visitor = () => newVisitor(site.worker.url)
const createUserThere = (options: TestUserOptions = {}) =>
  createUser({ ...options, siteUrl: site.worker.url, databaseUrl: site.sqld.url })

// First, because health remembers for ten seconds that the database answered.
test('while the database answers nobody, health says so and no call waits for ever; once it answers, all do', async () => {
  const [reader, writer] = [await createUserThere(), await createUserThere({ tokens: 1_000 })]
  const spend = () => ask(writer, useTokensEndpoint, { body: { amount: 1 } })
  site.sqld.freeze()
  const health = bad(await ask(visitor(), healthEndpoint))
  expect(health).toMatchObject({ status: 503, code: 'NOT_READY' })
  const ended: string[] = []
  const [read, flood] = await Promise.all([
    ask(reader, meEndpoint).finally(() => ended.push('read')),
    Promise.all(Array.from({ length: 100 }, spend)).finally(() => ended.push('writes')),
  ])
  site.sqld.thaw()
  expect(ended).toEqual(['read', 'writes'])
  expect(bad(read)).toMatchObject({ status: 503, code: 'DATABASE_UNAVAILABLE' })
  // Beyond 64 writes in flight, further ones do not wait.
  expect(flood.map(({ status }) => status)).toEqual(Array(100).fill(503))
  const refused = flood.filter((answer) => bad(answer).code === 'OVERLOADED')
  expect(refused.length).toBeGreaterThanOrEqual(36)
  expect(Number(refused[0]?.headers.get('Retry-After'))).toBeGreaterThan(0)
  await askGood(reader, meEndpoint)
  await askGood(writer, useTokensEndpoint, { body: { amount: 1 } })
})

test('while the database is down calls answer 503 with a sentence and Retry-After; afterwards nothing is lost', async () => {
  const user = await createUserThere({ tokens: 1_000 })
  await askGood(user, useTokensEndpoint, { body: { amount: 10 }, idempotencyKey: 'before' })
  await site.sqld.kill()
  const ticket = { body: { email: 'a@example.test', query: 'Hello' } }
  const answers = [
    await ask(user, meEndpoint),
    await ask(user, useTokensEndpoint, { body: { amount: 10 }, idempotencyKey: 'during' }),
    await ask(visitor(), submitTicketEndpoint, ticket),
  ]
  const away = { status: 503, code: 'DATABASE_UNAVAILABLE', message: SERVER.database }
  for (const answer of answers) {
    expect(bad(answer)).toMatchObject(away)
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0)
  }
  // The Worker is alive but not ready, and health names the part that is down.
  await askGood(visitor(), liveEndpoint)
  await askGood(visitor(), planAmountsEndpoint)
  const notReady = { status: 503, code: 'NOT_READY', message: 'Down: database' }
  expect(bad(await ask(visitor(), healthEndpoint))).toMatchObject(notReady)
  await site.sqld.restart()
  expect((await askGood(user, meEndpoint)).user.tokens).toEqual({ used: 10, total: 1_000 })
  const input = { body: { amount: 10 }, idempotencyKey: 'during' }
  expect((await askGood(user, useTokensEndpoint, input)).tokens.used).toBe(20)
  expect((await askGood(user, useTokensEndpoint, input)).tokens.used).toBe(20)
  await askGood(visitor(), healthEndpoint)
})

test('a database that dies during calls keeps every write that was answered with success', async () => {
  const user = await createUserThere({ tokens: 100_000 })
  const spend = () => ask(user, useTokensEndpoint, { body: { amount: 1 } })
  const first = Array.from({ length: 20 }, spend)
  const killed = Promise.all(first.slice(0, 5)).then(() => site.sqld.kill())
  const second = Array.from({ length: 20 }, spend)
  const answers = await Promise.all([...first, ...second])
  await killed
  await site.sqld.restart()
  const done = answers.filter(({ status }) => status === 200).length
  for (const { status } of answers) expect([200, 503]).toContain(status)
  const { used } = (await askGood(user, meEndpoint)).user.tokens
  expect(used).toBeGreaterThanOrEqual(done)
  expect(used).toBeLessThanOrEqual(answers.length)
})

/** Records every answer, so that the test can search all of them. */
function watched(answers: Answer[]): Visitor {
  const one = visitor()
  const call: Visitor['call'] = async (path, options) => {
    const answer = await one.call(path, options)
    answers.push(answer)
    return answer
  }
  return { ...one, call }
}

const CANARY = `Canary-${randomUUID()}-9`
const PASSWORDS = [`${CANARY}-a`, `${CANARY}-b`, `${CANARY}-c`]

/** Makes every call that handles a secret, valid and invalid, and returns the secrets that were issued. */
async function everySecretFlow(visitor: Visitor) {
  const url = site.sqld.url
  const [password = '', second = '', third = ''] = PASSWORDS
  const registration = newRegistration(password)
  const { email } = registration
  const registered = await askGood(visitor, registerEndpoint, { body: registration })
  await ask(visitor, registerEndpoint, { body: registration })
  await ask(visitor, registerEndpoint, { body: { ...registration, username: '!' } })
  const verify = await mailedSecret(email, 'verify-email', url)
  await askGood(visitor, verifyEmailEndpoint, { params: { token: verify } })
  await ask(visitor, loginEndpoint, { body: { email, password: `${password}-wrong` } })
  const { token } = await askGood(visitor, loginEndpoint, { body: { email, password } })
  const me = signedIn(visitor, token)
  await ask(signedIn(visitor, `${token}x`), meEndpoint)
  const changed = { currentPassword: password, newPassword: second }
  await askGood(me, changePasswordEndpoint, { body: changed })
  await askGood(visitor, forgotPasswordEndpoint, { body: { email } })
  const reset = await mailedSecret(email, 'reset-password', url)
  const chosen = { params: { token: reset }, body: { password: third } }
  await askGood(visitor, resetPasswordEndpoint, chosen)
  await ask(visitor, resetPasswordEndpoint, chosen)
  const again = await askGood(visitor, loginEndpoint, { body: { email, password: third } })
  const owner = signedIn(visitor, again.token)
  const device = await askGood(visitor, authorizeDeviceEndpoint, { body: {} })
  const approved = { userCode: device.user_code, approve: true }
  await askGood(owner, confirmDeviceEndpoint, { body: approved })
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
  const poll = { grant_type, device_code: device.device_code } as const
  const desktop = await askGood(visitor, deviceTokenEndpoint, { body: poll })
  const { order } = await askGood(owner, createOrderEndpoint, { body: { planType: 'pro' } })
  const proof = await razorpay.pay(order.id)
  await askGood(owner, verifyPaymentEndpoint, { body: proof })
  await ask(owner, useTokensEndpoint, { body: { amount: 10 } })
  await visitor.call(`/verify-email/${verify}`)
  await visitor.call(`/reset-password/${reset}`)
  await visitor.call('/api/auth/me', { headers: { authorization: `Basic ${CANARY}` } })
  const bearers = [registered.token, token, again.token, desktop.access_token]
  return { email, links: [verify, reset], bearers, deviceCode: device.device_code }
}

const providerSecrets = [
  testSecrets.RAZORPAY_KEY_SECRET,
  testSecrets.RAZORPAY_WEBHOOK_SECRETS,
  testSecrets.JWT_SECRETS.split(':')[1] ?? '',
]

test('no log line, answer or mail holds a password, a bearer token, a mailed secret or a provider secret', async () => {
  const answers: Answer[] = []
  const visitor = watched(answers)
  const { email, links, bearers, deviceCode } = await everySecretFlow(visitor)
  await site.worker.runCron()
  await site.sqld.kill()
  await ask(visitor, loginEndpoint, { body: { email, password: PASSWORDS[2] ?? '' } })
  await site.sqld.restart()
  const log = site.worker.log()
  const text = log.join('\n')
  expect(log.length).toBeGreaterThan(20)
  for (const secret of [CANARY, ...links, ...bearers, deviceCode, email, ...providerSecrets]) {
    expect(text).not.toContain(secret)
  }
  // Each part of a bearer token is as secret as the whole.
  for (const bearer of bearers) expect(text).not.toContain(bearer.split('.')[2])

  // Answers hold the bearer token they issue, and no other secret.
  const answered = answers
    .map(({ headers, body }) => JSON.stringify([[...headers], body]))
    .join('\n')
  for (const secret of [CANARY, ...links, ...providerSecrets])
    expect(answered).not.toContain(secret)

  // Mails hold their own link, and no other secret.
  const mails = JSON.stringify(await mailsTo(email, site.sqld.url))
  for (const secret of [CANARY, ...bearers, deviceCode, ...providerSecrets]) {
    expect(mails).not.toContain(secret)
  }
})

test('a webhook during a database outage answers 503 and grants once it is delivered again', async () => {
  const buyer = await createUserThere()
  const { order } = await askGood(buyer, createOrderEndpoint, { body: { planType: 'pro' } })
  const { paymentId } = await razorpay.payQuietly(order.id)
  const webhook = paymentEvent('payment.captured', { id: paymentId, order_id: order.id })
  const deliver = () => sendWebhook(site.worker.url, webhook)
  const away = { status: 503, body: { code: 'DATABASE_UNAVAILABLE' } }
  await site.sqld.kill()
  expect(await deliver()).toMatchObject(away)
  await site.sqld.restart()
  await expect.poll(deliver).toMatchObject({ status: 200 })
  expect((await askGood(buyer, meEndpoint)).user.tokens.total).toBe(1_000_000)
})

/** Writes a migration as a next release could have: a new column in every table, and a new table. */
async function writeNextMigration() {
  const [tables] = await database(site.sqld.url).batch([
    database(site.sqld.url).all<{ name: string }>(sql`
      SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
        AND name NOT LIKE 'libsql_%' AND name NOT LIKE '\\_%' ESCAPE '\\'`),
  ])
  expect(tables.length).toBeGreaterThan(12)
  const path = testFolder('next-migration')
  const columns = tables.map(
    ({ name }) => `ALTER TABLE \`${name}\` ADD \`next_release\` text DEFAULT 'x' NOT NULL`,
  )
  const statements = [...columns, 'CREATE TABLE `next_release` (`id` text PRIMARY KEY NOT NULL)']
  mkdirSync(join(path, 'meta'))
  writeFileSync(join(path, 'meta/_journal.json'), '{"entries":[{"tag":"9999_next"}]}')
  writeFileSync(join(path, '9999_next.sql'), statements.join(';\n--> statement-breakpoint\n'))
  return path
}

test('calls succeed once the next migration is applied and before the next Worker is deployed', async () => {
  const user = await createUserThere({ hasPlan: true })
  const folder = await writeNextMigration()
  expect(await applyMigrations({ url: site.sqld.url, folder })).toEqual(['9999_next'])
  const buyer = await createUserThere()
  const answers = [
    await ask(visitor(), registerEndpoint, { body: newRegistration() }),
    await ask(visitor(), submitTicketEndpoint, { body: { email: 'a@example.test', query: 'Hi' } }),
    await ask(visitor(), authorizeDeviceEndpoint, { body: {} }),
    await ask(user, meEndpoint),
    await ask(user, exportDataEndpoint),
    await ask(user, purchasesEndpoint),
    await ask(user, useTokensEndpoint, { body: { amount: 1 } }),
    await ask(buyer, createOrderEndpoint, { body: { planType: 'pro' } }),
  ]
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
})
