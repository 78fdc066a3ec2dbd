import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect, inject, test } from 'vitest'
import { purchases, receipts } from '../../edge-api/db/schema/purchases.ts'
import { jobApplications, supportTickets } from '../../edge-api/db/schema/records.ts'
import { users } from '../../edge-api/db/schema/users.ts'
import { exampleOf } from '../../edge-api/http/openapi/examples.ts'
import { ProfileInput, updateProfileEndpoint } from '../../src/contract/account.ts'
import { ApplicationInput, applyEndpoint } from '../../src/contract/careers.ts'
import { deleteAccountEndpoint } from '../../src/contract/credential.ts'
import { exportDataEndpoint } from '../../src/contract/notice.ts'
import { createOrderEndpoint } from '../../src/contract/purchase.ts'
import { loginEndpoint, registerEndpoint } from '../../src/contract/session.ts'
import { submitTicketEndpoint } from '../../src/contract/support.ts'
import { ask, askGood, bad } from '../harness/ask.ts'
import { createMember, PASSWORD, signInAgain } from '../harness/member.ts'
import { database, dumpDatabase, mailsTo } from '../harness/stored.ts'
import { newVisitor } from '../harness/visitor.ts'
import { controlOf } from '../harness/world/razorpay.ts'

const visitor = () => newVisitor(inject('siteUrl'))
const ISO_INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const application = ApplicationInput.parse(exampleOf(applyEndpoint).body)

test('deleting an account needs the password, erases personal data and keeps the receipts', async () => {
  const member = await createMember({ hasPlan: true })
  const bio = `bio-${randomUUID()}`
  const example = ProfileInput.parse(exampleOf(updateProfileEndpoint).body)
  const profile = { ...example, lastName: `L-${randomUUID()}`, bio }
  await askGood(member, updateProfileEndpoint, { body: profile })
  const query = `ticket-${randomUUID()}`
  // People do not always type their address in the same case.
  const email = member.email.toUpperCase()
  await askGood(visitor(), submitTicketEndpoint, { body: { email, query } })
  const whyJoin = `application-${randomUUID()}`
  await askGood(visitor(), applyEndpoint, { body: { ...application, email, whyJoin } })
  const { data } = await askGood(member, exportDataEndpoint)
  expect(data).toMatchObject({ supportTickets: [{ query }], jobApplications: [{ whyJoin }] })
  // Every instant is ISO 8601; none is a number of milliseconds.
  expect(JSON.stringify(data)).not.toMatch(/:\d{12,}[,}]/)
  expect(data).toMatchObject({ purchases: [{ paidAt: expect.stringMatching(ISO_INSTANT) }] })
  const wrong = { password: 'Wrong-Otter-42' }
  expect(bad(await ask(member, deleteAccountEndpoint, { body: wrong })).code).toBe('WRONG_PASSWORD')
  await askGood(member, deleteAccountEndpoint, { body: { password: PASSWORD } })
  const db = database()
  const { rows, kept, issued } = await db.batch({
    rows: db.select().from(users).where(eq(users.id, member.userId)),
    kept: db.select().from(purchases).where(eq(purchases.userId, member.userId)),
    issued: db.select().from(receipts).where(eq(receipts.buyerEmail, member.email)),
  })
  expect(rows).toEqual([
    expect.objectContaining({
      email: 'deleted',
      passwordHash: '',
      ...Object.fromEntries(Object.keys(profile).map((field) => [field, null])),
    }),
  ])
  expect(kept).toHaveLength(1)
  expect(issued).toHaveLength(1)
  const dump = await dumpDatabase()
  for (const gone of [bio, profile.lastName, query, whyJoin]) expect(dump).not.toContain(gone)
  expect((await mailsTo(member.email)).map(({ kind }) => kind)).toContain('account_deleted')
})

test('two deletions at once delete once and send one mail', async () => {
  const member = await createMember()
  const other = await signInAgain(member)
  const body = { password: PASSWORD }
  const answers = await Promise.all([
    ask(member, deleteAccountEndpoint, { body }),
    ask(other, deleteAccountEndpoint, { body }),
  ])
  for (const { status } of answers) expect([200, 401]).toContain(status)
  expect(answers.some(({ status }) => status === 200)).toBe(true)
  expect((await mailsTo(member.email)).map(({ kind }) => kind)).toEqual(['account_deleted'])
})

test('a payment that arrives after its account was deleted goes back and mails nothing to the deleted address', async () => {
  const member = await createMember()
  const { order, purchaseId } = await askGood(member, createOrderEndpoint, {
    body: { planType: 'pro' },
  })
  await askGood(member, deleteAccountEndpoint, { body: { password: PASSWORD } })
  await controlOf(inject('emulatorUrl')).pay(order.id)
  const db = database()
  const stored = async () => {
    const { bought, rows } = await db.batch({
      bought: db.select().from(purchases).where(eq(purchases.id, purchaseId)),
      rows: db.select().from(users).where(eq(users.id, member.userId)),
    })
    return { status: bought[0]?.status, email: rows[0]?.email }
  }
  // The provider's webhook reports the payment.
  await expect.poll(stored, { timeout: 10_000 }).toEqual({
    status: expect.stringMatching(/review|refunded/),
    email: 'deleted',
  })
  expect((await mailsTo(member.email)).map(({ kind }) => kind)).toEqual(['account_deleted'])
  const body = { email: member.email, password: PASSWORD }
  expect((await ask(visitor(), loginEndpoint, { body })).status).toBe(401)
})

test('the address and username of a deleted account can be registered again', async () => {
  const member = await createMember()
  await askGood(member, deleteAccountEndpoint, { body: { password: PASSWORD } })
  const { username, email, password } = member
  const body = { username, email, password, confirmPassword: password }
  const { user } = await askGood(visitor(), registerEndpoint, { body })
  expect(user.id).not.toBe(member.userId)
})

test('deleting an unverified account keeps the submissions of the real owner of its address', async () => {
  const impostor = await createMember({ isVerified: false })
  const { email } = impostor
  const query = `owner-${randomUUID()}`
  await askGood(visitor(), submitTicketEndpoint, { body: { email, query } })
  await askGood(visitor(), applyEndpoint, { body: { ...application, email, whyJoin: query } })
  await askGood(impostor, deleteAccountEndpoint, { body: { password: PASSWORD } })
  const db = database()
  const { tickets, applications } = await db.batch({
    tickets: db.select().from(supportTickets).where(eq(supportTickets.email, email)),
    applications: db.select().from(jobApplications).where(eq(jobApplications.email, email)),
  })
  expect(tickets.map((ticket) => ticket.query)).toEqual([query])
  expect(applications.map(({ whyJoin }) => whyJoin)).toEqual([query])
})

test('an export holds all data of the caller, nothing of others, no hash and no secret', async () => {
  const member = await createMember({ hasPlan: true })
  const other = await createMember({ hasPlan: true })
  const { data } = await askGood(member, exportDataEndpoint)
  expect(Object.keys(data).toSorted()).toEqual([
    'authenticatorApps',
    'correctedAddresses',
    'events',
    'googleSubject',
    'jobApplications',
    'ledger',
    'passkeys',
    'payments',
    'purchases',
    'receipts',
    'sessions',
    'supportTickets',
    'terms',
    'usageSessions',
    'user',
  ])
  const text = JSON.stringify(data)
  expect(text).toContain(member.email)
  expect(data).toMatchObject({
    purchases: [{ sku: 'pro' }],
    receipts: [{ buyerEmail: member.email }],
  })
  for (const foreign of [other.userId, other.email, 'scrypt', 'passwordHash', 'secretHash']) {
    expect(text).not.toContain(foreign)
  }
})

test('tickets are exported only to a verified address', async () => {
  const impostor = await createMember({ isVerified: false })
  const query = `owner-${randomUUID()}`
  await askGood(visitor(), submitTicketEndpoint, { body: { email: impostor.email, query } })
  expect(JSON.stringify(await askGood(impostor, exportDataEndpoint))).not.toContain(query)
  const owner = await createMember()
  await askGood(visitor(), submitTicketEndpoint, { body: { email: owner.email, query } })
  expect(JSON.stringify(await askGood(owner, exportDataEndpoint))).toContain(query)
})
