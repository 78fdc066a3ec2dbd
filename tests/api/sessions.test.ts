import { randomUUID } from 'node:crypto'
import { expect, inject, test } from 'vitest'
import { meEndpoint, updateProfileEndpoint } from '../../src/contract/account.ts'
import { AUTH, FIELD } from '../../src/contract/messages.ts'
import {
  changePasswordEndpoint,
  deleteAccountEndpoint,
  forgotPasswordEndpoint,
  resetPasswordEndpoint,
} from '../../src/contract/credential.ts'
import {
  noticesEndpoint,
  readNoticesEndpoint,
  signInHistoryEndpoint,
} from '../../src/contract/notice.ts'
import { paymentStatusEndpoint } from '../../src/contract/purchase.ts'
import { purchasesEndpoint, receiptEndpoint } from '../../src/contract/receipt.ts'
import {
  endOtherSessionsEndpoint,
  endSessionEndpoint,
  loginEndpoint,
  logoutEndpoint,
  registerEndpoint,
  sessionsEndpoint,
} from '../../src/contract/session.ts'
import { recordUsageSessionEndpoint } from '../../src/contract/report-usage.ts'
import { ledgerEndpoint, usageEndpoint } from '../../src/contract/usage.ts'
import { ask, askGood, bad } from '../harness/ask.ts'
import { createMember, type Member, PASSWORD, signInAgain } from '../harness/member.ts'
import { eventsOf, mailedSecret, mailsTo } from '../harness/stored.ts'
import { newVisitor } from '../harness/visitor.ts'

const visitor = () => newVisitor(inject('siteUrl'))

async function isSignedIn(member: Member): Promise<boolean> {
  const { status } = await ask(member, meEndpoint)
  expect([200, 401]).toContain(status)
  return status === 200
}

test('an invalid bearer token is 401 with one code and no reason', async () => {
  const { bearer } = await createMember()
  const [head = '', body = '', signature = ''] = bearer.split('.')
  const unsigned = btoa('{"alg":"none"}').replaceAll('=', '')
  const authorizations = [
    'Bearer',
    'Bearer ',
    `Basic ${btoa('a:b')}`,
    `bearer ${bearer}`,
    `Bearer ${bearer} ${bearer}`,
    `Bearer ${head}.${body}.`,
    `Bearer ${unsigned}.${body}.`,
    `Bearer ${head}.${body}.${signature.toLowerCase()}`,
    `Bearer ${'a'.repeat(8_000)}`,
  ]
  for (const authorization of authorizations) {
    const answer = await visitor().call('/api/auth/me', { headers: { authorization } })
    const { requestId, ...rest } = bad(answer)
    expect(requestId).toBe(answer.headers.get('X-Request-Id'))
    expect(rest).toEqual({
      status: 401,
      success: false,
      code: 'UNAUTHENTICATED',
      message: AUTH.unauthenticated,
    })
  }
})

test('a bearer token in the query or in a cookie is ignored', async () => {
  const { bearer } = await createMember()
  const byAddress = await visitor().call(`/api/auth/me?token=${bearer}&access_token=${bearer}`)
  const byCookie = await visitor().call('/api/auth/me', { headers: { cookie: `token=${bearer}` } })
  expect([byAddress.status, byCookie.status]).toEqual([401, 401])
})

test('ending a session refuses its next call and no other session', async () => {
  const member = await createMember()
  const [phone, laptop] = [await signInAgain(member), await signInAgain(member)]
  const { message } = await askGood(member, endSessionEndpoint, { params: { id: phone.sessionId } })
  expect(message).toBe(AUTH.sessionEnded)
  expect(await isSignedIn(phone)).toBe(false)
  expect(await isSignedIn(laptop)).toBe(true)
  const again = await ask(member, endSessionEndpoint, { params: { id: phone.sessionId } })
  expect(bad(again).status).toBe(404)
})

test('ending all other sessions keeps the current one', async () => {
  const member = await createMember()
  const others = [await signInAgain(member), await signInAgain(member)]
  expect((await askGood(member, endOtherSessionsEndpoint)).ended).toBe(2)
  for (const other of others) expect(await isSignedIn(other)).toBe(false)
  expect(await isSignedIn(member)).toBe(true)
  expect((await askGood(member, endOtherSessionsEndpoint)).ended).toBe(0)
})

test('changing the password needs the current one and ends the other sessions', async () => {
  const member = await createMember()
  const other = await signInAgain(member)
  const wrong = { currentPassword: 'Wrong-Otter-42', newPassword: 'Louder-Otter-43' }
  expect(bad(await ask(member, changePasswordEndpoint, { body: wrong }))).toMatchObject({
    status: 400,
    code: 'WRONG_PASSWORD',
    errors: [{ path: 'currentPassword', msg: AUTH.wrongPassword }],
  })
  const same = { currentPassword: PASSWORD, newPassword: PASSWORD }
  expect(bad(await ask(member, changePasswordEndpoint, { body: same }))).toMatchObject({
    status: 400,
    errors: [{ path: 'newPassword', msg: FIELD.passwordSame }],
  })
  expect(await isSignedIn(other)).toBe(true)
  await askGood(member, changePasswordEndpoint, { body: { ...wrong, currentPassword: PASSWORD } })
  expect(await isSignedIn(other)).toBe(false)
  expect(await isSignedIn(member)).toBe(true)
  const body = { email: member.email, password: 'Louder-Otter-43' }
  await askGood(visitor(), loginEndpoint, { body })
})

test('the next call of a deleted account is refused', async () => {
  const member = await createMember()
  await askGood(member, deleteAccountEndpoint, { body: { password: PASSWORD } })
  expect(await isSignedIn(member)).toBe(false)
  const body = { email: member.email, password: PASSWORD }
  expect((await ask(visitor(), loginEndpoint, { body })).status).toBe(401)
})

test("another account's purchase or session is 404, like one that does not exist", async () => {
  const owner = await createMember({ hasPlan: true })
  const stranger = await createMember()
  const { purchases } = await askGood(owner, purchasesEndpoint)
  const [purchase] = purchases
  const ids = [
    purchase?.purchaseId ?? '',
    purchase?.orderId ?? '',
    'pur_00000000000000000000000000',
  ]
  for (const id of ids) {
    expect(bad(await ask(stranger, paymentStatusEndpoint, { params: { id } })).status).toBe(404)
    const params = { purchaseId: id }
    expect(bad(await ask(stranger, receiptEndpoint, { params })).status).toBe(404)
  }
  const session = { id: owner.sessionId }
  expect(bad(await ask(stranger, endSessionEndpoint, { params: session })).status).toBe(404)
  expect(await isSignedIn(owner)).toBe(true)
})

test('the lists of an account hold nothing of another', async () => {
  const owner = await createMember({ hasPlan: true })
  const sessionId = `shared-${owner.userId}`
  const start = { event: 'start', sessionId, mode: 'meeting' } as const
  await askGood(owner, recordUsageSessionEndpoint, { body: start })
  const stranger = await createMember()
  expect((await askGood(stranger, purchasesEndpoint)).purchases).toEqual([])
  expect((await askGood(stranger, ledgerEndpoint)).entries).toEqual([])
  expect((await askGood(stranger, noticesEndpoint)).notices).toEqual([])
  expect((await askGood(stranger, sessionsEndpoint)).sessions).toHaveLength(1)
  expect((await askGood(stranger, usageEndpoint)).tokens).toEqual({ used: 0, total: 0 })
  const end = { event: 'end', sessionId } as const
  expect(bad(await ask(stranger, recordUsageSessionEndpoint, { body: end })).status).toBe(404)
})

test('the history lists good and failed sign-ins, and the bell announces a new device until it is read', async () => {
  const member = await createMember()
  const headers = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Gecko Firefox/140.0' }
  const { email } = member
  const wrong = { email, password: 'Wrong-Otter-42' }
  await ask(visitor(), loginEndpoint, { body: wrong, headers })
  await askGood(visitor(), loginEndpoint, { body: { email, password: PASSWORD }, headers })
  const { events } = await askGood(member, signInHistoryEndpoint)
  expect(events.map(({ kind }) => kind).toSorted()).toEqual([
    'sign_in_failed',
    'signed_in_new_device',
  ])
  const { notices, unread } = await askGood(member, noticesEndpoint)
  expect(unread).toBe(1)
  expect(notices[0]?.text).toBe('Signed in on a new device: Firefox on Windows.')
  await askGood(member, readNoticesEndpoint)
  expect((await askGood(member, noticesEndpoint)).unread).toBe(0)
})

test('registering signs in: the history starts with it, and no new device is announced', async () => {
  const username = `h_${randomUUID().slice(0, 20).replaceAll('-', '')}`
  const email = `${username}@example.test`
  const person = { username, email, password: PASSWORD, confirmPassword: PASSWORD }
  const made = await askGood(visitor(), registerEndpoint, { body: person })
  const headers = { authorization: `Bearer ${made.token}` }
  const { events } = await askGood(visitor(), signInHistoryEndpoint, { headers })
  expect(events.map(({ kind }) => kind)).toEqual(['signed_in'])
  expect(made.user.unreadNotices).toBe(0)
  expect((await mailsTo(email)).map(({ kind }) => kind)).toEqual(['verify_address'])
})

test('each security event is recorded once with its kind, user, network and time', async () => {
  const member = await createMember()
  const { email } = member
  const headers = { 'cf-connecting-ip': '203.0.113.77' }
  const other = await signInAgain(member)
  await ask(visitor(), loginEndpoint, { body: { email, password: 'Wrong-Otter-42' }, headers })
  await askGood(visitor(), loginEndpoint, { body: { email, password: PASSWORD }, headers })
  await askGood(member, endSessionEndpoint, { params: { id: other.sessionId } })
  const body = { currentPassword: PASSWORD, newPassword: 'Louder-Otter-43' }
  await askGood(member, changePasswordEndpoint, { body })
  await askGood(visitor(), forgotPasswordEndpoint, { body: { email }, headers })
  const token = await mailedSecret(email, 'reset-password')
  const chosen = { password: 'Softer-Otter-44' }
  await askGood(visitor(), resetPasswordEndpoint, { params: { token }, body: chosen, headers })
  // Some events are written after the answer was sent.
  await expect
    .poll(async () => (await eventsOf(member.userId)).map(({ kind }) => kind).toSorted())
    .toEqual([
      'password_changed',
      'password_reset',
      'password_reset_requested',
      'session_ended',
      'sign_in_failed',
      'signed_in_new_device',
      'trial_granted',
    ])
  const events = await eventsOf(member.userId)
  const failed = events.find(({ kind }) => kind === 'sign_in_failed')
  expect(failed).toMatchObject({ ipPrefix: '203.0.113.0/24', device: 'Unknown device' })
  for (const { createdAt, detail } of events) {
    expect(Math.abs(Date.now() - createdAt)).toBeLessThan(60_000)
    expect(detail).not.toContain('Otter')
  }
})

test('changing the profile and signing out are recorded', async () => {
  const member = await createMember()
  const body = { firstName: 'Ada', lastName: 'Lovelace', bio: '', phone: '' }
  await askGood(member, updateProfileEndpoint, { body })
  await askGood(member, logoutEndpoint)
  await ask(member, logoutEndpoint)
  const kinds = (await eventsOf(member.userId)).map(({ kind }) => kind)
  expect(kinds).toEqual(['profile_changed', 'signed_out'])
})
