import { randomUUID } from 'node:crypto'
import { expect, inject, test } from 'vitest'
import { meEndpoint } from '../../src/contract/account.ts'
import { FIELD } from '../../src/contract/messages.ts'
import { changePasswordEndpoint, deleteAccountEndpoint } from '../../src/contract/credential.ts'
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
  registerEndpoint,
  sessionsEndpoint,
} from '../../src/contract/session.ts'
import {
  ledgerEndpoint,
  recordUsageSessionEndpoint,
  usageEndpoint,
} from '../../src/contract/usage.ts'
import { ask, askGood, bad } from '../harness/ask.ts'
import { createMember, type Member, PASSWORD, signInAgain } from '../harness/member.ts'
import { mailsTo } from '../harness/stored.ts'
import { newVisitor } from '../harness/visitor.ts'

const visitor = () => newVisitor(inject('siteUrl'))

async function isSignedIn(member: Member): Promise<boolean> {
  const { status } = await ask(member, meEndpoint)
  expect([200, 401]).toContain(status)
  return status === 200
}

test('J1 whatever is no token of ours is 401 with one code and no reason', async () => {
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
      message: 'Please sign in to continue.',
    })
  }
})

test('J1 a token in the address or in a cookie opens nothing', async () => {
  const { bearer } = await createMember()
  const byAddress = await visitor().call(`/api/auth/me?token=${bearer}&access_token=${bearer}`)
  const byCookie = await visitor().call('/api/auth/me', { headers: { cookie: `token=${bearer}` } })
  expect([byAddress.status, byCookie.status]).toEqual([401, 401])
})

test('J2 ending one session refuses it at the very next call, and no other', async () => {
  const member = await createMember()
  const [phone, laptop] = [await signInAgain(member), await signInAgain(member)]
  const { message } = await askGood(member, endSessionEndpoint, { params: { id: phone.sessionId } })
  expect(message).toBe('Session ended')
  expect(await isSignedIn(phone)).toBe(false)
  expect(await isSignedIn(laptop)).toBe(true)
  const again = await ask(member, endSessionEndpoint, { params: { id: phone.sessionId } })
  expect(bad(again).status).toBe(404)
})

test('J2 ending all others leaves the one that asks', async () => {
  const member = await createMember()
  const others = [await signInAgain(member), await signInAgain(member)]
  expect((await askGood(member, endOtherSessionsEndpoint)).ended).toBe(2)
  for (const other of others) expect(await isSignedIn(other)).toBe(false)
  expect(await isSignedIn(member)).toBe(true)
  expect((await askGood(member, endOtherSessionsEndpoint)).ended).toBe(0)
})

test('J2 changing the password asks for the current one and ends the other sessions', async () => {
  const member = await createMember()
  const other = await signInAgain(member)
  const wrong = { currentPassword: 'Wrong-Otter-42', newPassword: 'Louder-Otter-43' }
  expect(bad(await ask(member, changePasswordEndpoint, { body: wrong }))).toMatchObject({
    status: 400,
    code: 'WRONG_PASSWORD',
    errors: [{ path: 'currentPassword', msg: 'The current password is not right.' }],
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

test('J2 a deleted account is refused at the very next call', async () => {
  const member = await createMember()
  await askGood(member, deleteAccountEndpoint, { body: { password: PASSWORD } })
  expect(await isSignedIn(member)).toBe(false)
  const body = { email: member.email, password: PASSWORD }
  expect((await ask(visitor(), loginEndpoint, { body })).status).toBe(401)
})

test('J6 what belongs to another account is 404, as what never was', async () => {
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

test('J6 lists of an account hold nothing of another', async () => {
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

test('the history tells good and bad sign-ins, the bell new devices until it is read', async () => {
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

test('registering signs in: the history starts with it, and nobody is told of a new device', async () => {
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
