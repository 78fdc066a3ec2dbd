import { expect, test } from 'vitest'
import { meEndpoint, updateProfileEndpoint } from '../../src/contract/account.ts'
import {
  changePasswordEndpoint,
  forgotPasswordEndpoint,
  resetPasswordEndpoint,
} from '../../src/contract/credential.ts'
import { AUTH } from '../../src/contract/messages.ts'
import { noticesEndpoint } from '../../src/contract/notice.ts'
import { purchasesEndpoint } from '../../src/contract/receipt.ts'
import { recordUsageSessionEndpoint } from '../../src/contract/report-usage.ts'
import {
  endSessionEndpoint,
  loginEndpoint,
  logoutEndpoint,
  sessionsEndpoint,
} from '../../src/contract/session.ts'
import { ledgerEndpoint, usageEndpoint } from '../../src/contract/usage.ts'
import { ask, askGood, bad } from '../harness/ask.ts'
import { createUser, type TestUser, PASSWORD, signInAgain } from '../harness/user.ts'
import { eventsOf, mailedSecret } from '../harness/stored.ts'
import { visitor } from '../harness/visitor.ts'

async function isSignedIn(user: TestUser): Promise<boolean> {
  const { status } = await ask(user, meEndpoint)
  expect([200, 401]).toContain(status)
  return status === 200
}

test('an invalid bearer token is 401 with one code and no reason, and one in the query or a cookie is ignored', async () => {
  const { bearer } = await createUser()
  const [head = '', body = '', signature = ''] = bearer.split('.')
  const unsigned = btoa('{"alg":"none"}').replaceAll('=', '')
  const authorizations = [
    'Bearer',
    'Bearer ',
    `Basic ${btoa('a:b')}`,
    `Bearer ${bearer} ${bearer}`,
    `Bearer ${head}.${body}.`,
    `Bearer ${unsigned}.${body}.`,
    `Bearer ${head}.${body}.${signature.toLowerCase()}`,
    `Bearer ${'a'.repeat(8_000)}`,
  ]
  const calls = [...authorizations.map((authorization) => ({ authorization })), {}].map((headers) =>
    visitor().call(`/api/auth/me?token=${bearer}&access_token=${bearer}`, {
      headers: { ...headers, cookie: `token=${bearer}` },
    }),
  )
  for (const answer of await Promise.all(calls)) {
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

test('an account lists nothing of another and cannot end the sessions of another', async () => {
  const owner = await createUser({ hasPlan: true })
  const sessionId = `shared-${owner.userId}`
  const start = { event: 'start', sessionId, mode: 'meeting' } as const
  await askGood(owner, recordUsageSessionEndpoint, { body: start })
  const stranger = await createUser()
  expect((await askGood(stranger, purchasesEndpoint)).purchases).toEqual([])
  expect((await askGood(stranger, ledgerEndpoint)).entries).toEqual([])
  expect((await askGood(stranger, noticesEndpoint)).notices).toEqual([])
  expect((await askGood(stranger, sessionsEndpoint)).sessions).toHaveLength(1)
  expect((await askGood(stranger, usageEndpoint)).tokens).toEqual({ used: 0, total: 0 })
  const end = { event: 'end', sessionId } as const
  expect(bad(await ask(stranger, recordUsageSessionEndpoint, { body: end })).status).toBe(404)
  const params = { id: owner.sessionId }
  expect(bad(await ask(stranger, endSessionEndpoint, { params })).status).toBe(404)
  expect(await isSignedIn(owner)).toBe(true)
})

test('each security event is recorded once with its kind and network, and without a password', async () => {
  const user = await createUser()
  const { email } = user
  const headers = { 'cf-connecting-ip': '203.0.113.77' }
  const other = await signInAgain(user)
  await ask(visitor(), loginEndpoint, { body: { email, password: 'Wrong-Otter-42' }, headers })
  await askGood(user, endSessionEndpoint, { params: { id: other.sessionId } })
  await askGood(user, updateProfileEndpoint, { body: { firstName: 'Ada', lastName: 'Lovelace' } })
  const body = { currentPassword: PASSWORD, newPassword: 'Louder-Otter-43' }
  await askGood(user, changePasswordEndpoint, { body })
  await askGood(user, logoutEndpoint)
  await ask(user, logoutEndpoint)
  await askGood(visitor(), forgotPasswordEndpoint, { body: { email }, headers })
  const token = await mailedSecret(email, 'reset-password')
  const chosen = { password: 'Softer-Otter-44' }
  await askGood(visitor(), resetPasswordEndpoint, { params: { token }, body: chosen, headers })
  // Some events are written after the answer was sent.
  const kinds = async () => (await eventsOf(user.userId)).map(({ kind }) => kind).toSorted()
  await expect
    .poll(kinds)
    .toEqual([
      'password_changed',
      'password_reset',
      'password_reset_requested',
      'profile_changed',
      'session_ended',
      'sign_in_failed',
      'signed_out',
      'trial_granted',
    ])
  const events = await eventsOf(user.userId)
  const failed = events.find(({ kind }) => kind === 'sign_in_failed')
  expect(failed).toMatchObject({ ipPrefix: '203.0.113.0/24', device: 'Unknown device' })
  for (const { detail } of events) expect(detail).not.toContain('Otter')
})
