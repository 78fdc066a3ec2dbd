import { expect, inject, test } from 'vitest'
import { updateProfileEndpoint } from '../../src/contract/account.ts'
import {
  changePasswordEndpoint,
  forgotPasswordEndpoint,
  resetPasswordEndpoint,
} from '../../src/contract/credential.ts'
import { healthEndpoint, liveEndpoint } from '../../src/contract/health.ts'
import { endSessionEndpoint, loginEndpoint, logoutEndpoint } from '../../src/contract/session.ts'
import { ask, askGood } from '../harness/ask.ts'
import { createMember, PASSWORD, signInAgain } from '../harness/member.ts'
import { eventsOf, mailedSecret } from '../harness/stored.ts'
import { newVisitor } from '../harness/visitor.ts'

const visitor = () => newVisitor(inject('siteUrl'))

test('X1 the description of the API is a page without a script, under a policy of its own', async () => {
  const { status, headers, body } = await visitor().call('/api/docs')
  expect(status).toBe(200)
  expect(headers.get('Content-Type')).toMatch(/^text\/html/)
  expect(headers.get('Content-Security-Policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
  )
  expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
  expect(String(body)).not.toContain('<script')
})

test('/api/openapi.json names the address it was asked at', async () => {
  const { status, headers, body } = await visitor().call('/api/openapi.json')
  expect(status).toBe(200)
  expect(headers.get('Content-Type')).toMatch(/^application\/json/)
  expect(body).toMatchObject({ openapi: '3.1.1', servers: [{ url: inject('siteUrl') }] })
})

test.each(['/api/docs', '/api/openapi.json'])('%s can only be read', async (path) => {
  const { status, headers } = await visitor().call(path, { method: 'POST' })
  expect({ status, allow: headers.get('Allow') }).toEqual({ status: 405, allow: 'GET' })
})

test('the local mailbox shows its style under a policy of its own', async () => {
  const { status, headers } = await visitor().call('/__local/mail')
  expect(status).toBe(200)
  expect(headers.get('Content-Security-Policy')).toContain('style-src')
  const beside = await visitor().call('/__local/nothing')
  expect(beside.status).toBe(302)
  expect(beside.headers.get('Location')).toBe('/')
})

test('X4 health: alive and ready, part by part', async () => {
  await askGood(visitor(), liveEndpoint)
  const { ready, parts } = await askGood(visitor(), healthEndpoint)
  expect(ready).toBe(true)
  expect(Object.keys(parts).toSorted()).toEqual(
    expect.arrayContaining(['database', 'mail', 'payments', 'webhooks']),
  )
  expect(parts['database']?.status).toBe('ok')
})

test('X7 security events leave one row each: what, who, from which network, when', async () => {
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
  // Some are written after the answer left: the next call of the same kind is behind them.
  await expect
    .poll(async () => (await eventsOf(member.userId)).map(({ kind }) => kind).toSorted())
    .toEqual([
      'password_changed',
      'password_reset',
      'password_reset_requested',
      'session_ended',
      'sign_in_failed',
      'signed_in_new_device',
    ])
  const events = await eventsOf(member.userId)
  const failed = events.find(({ kind }) => kind === 'sign_in_failed')
  expect(failed).toMatchObject({ ipPrefix: '203.0.113.0/24', device: 'Unknown device' })
  for (const { createdAt, detail } of events) {
    expect(Math.abs(Date.now() - createdAt)).toBeLessThan(60_000)
    expect(detail).not.toContain('Otter')
  }
})

test('X7 changing the profile and signing out leave a row too', async () => {
  const member = await createMember()
  const body = { firstName: 'Ada', lastName: 'Lovelace', bio: '', phone: '' }
  await askGood(member, updateProfileEndpoint, { body })
  await askGood(member, logoutEndpoint)
  await ask(member, logoutEndpoint)
  const kinds = (await eventsOf(member.userId)).map(({ kind }) => kind)
  expect(kinds).toEqual(['profile_changed', 'signed_out'])
})

test.each([
  '/',
  '/login',
  '/dashboard',
  '/verify-email/some-secret',
  '/reset-password/some-secret',
])('X1 the page %s cannot be framed, sniffed or fetched without encryption', async (path) => {
  const { status, headers, body } = await visitor().call(path)
  expect(status).toBe(200)
  expect(headers.get('Strict-Transport-Security')).toMatch(/max-age=\d{8,}/)
  expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
  expect(headers.get('X-Frame-Options')).toBe('DENY')
  expect(headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'")
  expect(headers.get('Cross-Origin-Opener-Policy')).toMatch(/^same-origin/)
  const [policy = ''] = /<meta http-equiv="content-security-policy"[^>]*>/i.exec(String(body)) ?? []
  const [scripts = ''] = /script-src [^;"]*/.exec(policy) ?? []
  expect(scripts).toContain("'self'")
  expect(scripts).not.toContain('unsafe-inline')
  // The payment window is let in where something can be bought, and nowhere else.
  expect(policy.includes('razorpay')).toBe(path === '/dashboard')
})

test('an unknown page leads home', async () => {
  const unknown = await visitor().call('/no/such/page')
  expect(unknown.status).toBe(302)
  expect(unknown.headers.get('Location')).toMatch(/\/$/)
})
