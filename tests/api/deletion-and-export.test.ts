import { changeRows } from '../harness/fixture/rows.ts'
import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { purchases, receipts } from '../../edge-api/db/schema/purchases.ts'
import { sessions } from '../../edge-api/db/schema/sessions.ts'
import { users } from '../../edge-api/db/schema/users.ts'
import { exampleOf } from '../../site/openapi/examples.ts'
import {
  ProfileInput,
  updatePreferencesEndpoint,
  updateProfileEndpoint,
} from '../../src/contract/account.ts'
import { updateBillingEndpoint } from '../../src/contract/billing.ts'
import { ApplicationInput, applyEndpoint } from '../../src/contract/careers.ts'
import { deleteAccountEndpoint } from '../../src/contract/credential.ts'
import { exportDataEndpoint } from '../../src/contract/data-export.ts'
import { registerEndpoint } from '../../src/contract/session.ts'
import { submitTicketEndpoint } from '../../src/contract/support.ts'
import { ask, askGood, bad } from '../harness/ask.ts'
import { createUser, PASSWORD } from '../harness/user.ts'
import { database, dumpDatabase, mailsTo } from '../harness/stored.ts'
import { visitor } from '../harness/visitor.ts'

const ISO_INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const application = ApplicationInput.parse(exampleOf(applyEndpoint).body)

test('deleting an account needs the password, erases personal data and keeps the receipts', async () => {
  const user = await createUser({ hasPlan: true })
  const bio = `bio-${randomUUID()}`
  const example = ProfileInput.parse(exampleOf(updateProfileEndpoint).body)
  const profile = { ...example, lastName: `L-${randomUUID()}`, bio }
  await askGood(user, updateProfileEndpoint, { body: profile })
  await askGood(user, updateBillingEndpoint, { body: { place: '29' } })
  const preferences = { theme: 'dark', currency: 'INR', mailReminders: false } as const
  await askGood(user, updatePreferencesEndpoint, { body: preferences })
  const query = `ticket-${randomUUID()}`
  // People do not always type their address in the same case.
  const email = user.email.toUpperCase()
  await askGood(visitor(), submitTicketEndpoint, { body: { email, query } })
  const whyJoin = `application-${randomUUID()}`
  await askGood(visitor(), applyEndpoint, { body: { ...application, email, whyJoin } })
  const { data } = await askGood(user, exportDataEndpoint)
  expect(data).toMatchObject({ supportTickets: [{ query }], jobApplications: [{ whyJoin }] })
  // Every instant is ISO 8601; none is a number of milliseconds.
  expect(JSON.stringify(data)).not.toMatch(/:\d{12,}[,}]/)
  expect(data).toMatchObject({ purchases: [{ paidAt: expect.stringMatching(ISO_INSTANT) }] })
  const wrong = { password: 'Wrong-Otter-42' }
  expect(bad(await ask(user, deleteAccountEndpoint, { body: wrong })).code).toBe('WRONG_PASSWORD')
  await askGood(user, deleteAccountEndpoint, { body: { password: PASSWORD } })
  const db = database()
  const { rows, kept, issued } = await db.batch({
    rows: db.select().from(users).where(eq(users.id, user.userId)),
    kept: db.select().from(purchases).where(eq(purchases.userId, user.userId)),
    issued: db.select().from(receipts).where(eq(receipts.buyerEmail, user.email)),
  })
  expect(rows).toEqual([
    expect.objectContaining({
      email: 'deleted',
      passwordHash: '',
      billing: null,
      ...{ theme: 'system', currency: 'USD', mailReminders: true },
      ...Object.fromEntries(Object.keys(profile).map((field) => [field, null])),
    }),
  ])
  expect(kept).toHaveLength(1)
  expect(issued).toHaveLength(1)
  const dump = await dumpDatabase()
  for (const gone of [bio, profile.lastName, query, whyJoin]) expect(dump).not.toContain(gone)
  expect((await mailsTo(user.email)).map(({ kind }) => kind)).toContain('account_deleted')
})

test('an account without a password is deleted after a confirmation, one with a password never without it', async () => {
  const [withPassword, user] = await Promise.all([createUser(), createUser()])
  const db = database()
  const confirm = (confirmedAt: number | null) =>
    db.batch([db.update(sessions).set({ confirmedAt }).where(eq(sessions.id, user.sessionId))])
  await changeRows(db, users, { passwordHash: '' }, eq(users.id, user.userId))
  await confirm(null)
  const refused = async (caller: typeof user) =>
    bad(await ask(caller, deleteAccountEndpoint, { body: {} })).code
  expect(await refused(withPassword)).toBe('WRONG_PASSWORD')
  expect(await refused(user)).toBe('STEP_UP_REQUIRED')
  await confirm(Date.now())
  await askGood(user, deleteAccountEndpoint, { body: {} })
  expect((await mailsTo(user.email)).map(({ kind }) => kind)).toEqual(['account_deleted'])
})

test('the address and username of a deleted account can be registered again', async () => {
  const user = await createUser()
  await askGood(user, deleteAccountEndpoint, { body: { password: PASSWORD } })
  const { username, email, password } = user
  const body = { username, email, password, confirmPassword: password }
  const again = await askGood(visitor(), registerEndpoint, { body })
  expect(again.user.id).not.toBe(user.userId)
})

test('an export holds all data of the caller, nothing of others, no hash and no secret', async () => {
  const user = await createUser({ hasPlan: true })
  const other = await createUser({ hasPlan: true })
  const { data } = await askGood(user, exportDataEndpoint)
  expect(Object.keys(data).toSorted()).toEqual([
    'actsOfSupport',
    'authenticatorApps',
    'correctedAddresses',
    'creditNotes',
    'events',
    'googleSubject',
    'incomplete',
    'jobApplications',
    'ledger',
    'mails',
    'olderSubmissions',
    'owedRefunds',
    'passkeys',
    'payments',
    'purchases',
    'receipts',
    'refundsAndDisputes',
    'sessions',
    'supportTickets',
    'terms',
    'usageSessions',
    'user',
  ])
  const text = JSON.stringify(data)
  expect(text).toContain(user.email)
  expect(data).toMatchObject({
    purchases: [{ sku: 'pro', billing: null }],
    receipts: [{ buyerEmail: user.email }],
  })
  for (const foreign of [other.userId, other.email, 'scrypt', 'passwordHash', 'secretHash']) {
    expect(text).not.toContain(foreign)
  }
})
