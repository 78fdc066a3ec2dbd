import { SignJWT, UnsecuredJWT } from 'jose'
import { expect, test } from 'vitest'
import { idMaker } from '../new-id.ts'
import { signBearer, verifyBearer } from './sign.ts'
import type { SigningKeys } from '../context.ts'

const NOW = Date.UTC(2026, 10, 2, 12)
const HOUR = 3_600_000
const bytes = (count: number) => crypto.getRandomValues(new Uint8Array(count))
const newId = idMaker(() => NOW, bytes)
const claims = { userId: newId('usr'), sessionId: newId('ses') }
const key = (kid: string) => ({ kid, secret: bytes(48) })
const ours = key('k1')
const keys: SigningKeys = [ours]
const times = { now: NOW, expiresAt: NOW + HOUR }

interface Forgery {
  header?: Record<string, unknown>
  payload?: Record<string, unknown>
  secret?: Uint8Array
}

/** A bearer token like ours, except for the given changes. */
function forge({ header = {}, payload = {}, secret = ours.secret }: Forgery): Promise<string> {
  const seconds = Math.floor(NOW / 1_000)
  const genuine = {
    iss: 'accounts',
    aud: 'api',
    sub: claims.userId,
    sid: claims.sessionId,
    iat: seconds,
    exp: seconds + 3_600,
  }
  return new SignJWT({ ...genuine, ...payload })
    .setProtectedHeader({ alg: 'HS256', kid: 'k1', ...header })
    .sign(secret)
}

test('a genuine token names its user and session', async () => {
  expect(await verifyBearer(keys, await signBearer(keys, claims, times), NOW)).toEqual(claims)
  expect(await verifyBearer(keys, await forge({}), NOW)).toEqual(claims)
})

test.each<[string, Forgery]>([
  ['another secret', { secret: bytes(48) }],
  ['an unknown kid', { header: { kid: 'k9' } }],
  ['no kid', { header: { kid: undefined } }],
  ['another algorithm', { header: { alg: 'HS384' } }],
  ['another issuer', { payload: { iss: 'somebody' } }],
  ['another audience', { payload: { aud: 'another-api' } }],
  ['no expiry', { payload: { exp: undefined } }],
  ['a past expiry', { payload: { exp: Math.floor(NOW / 1_000) - 1 } }],
  ['a start in the future', { payload: { nbf: Math.floor(NOW / 1_000) + 600 } }],
  ['no session', { payload: { sid: undefined } }],
  ['a malformed session id', { payload: { sid: "x' OR 1=1" } }],
  ['a malformed user id', { payload: { sub: 'admin' } }],
  ['a user id that is not a string', { payload: { sub: { $ne: '' } } }],
])('a token with %s is rejected', async (_, forgery) => {
  expect(await verifyBearer(keys, await forge(forgery), NOW)).toBeNull()
})

test('a token without a signature, of 20 kB, or cut short is rejected', async () => {
  const unsigned = new UnsecuredJWT({ sid: claims.sessionId })
    .setSubject(claims.userId)
    .setIssuer('accounts')
    .setAudience('api')
    .setExpirationTime(Math.floor(NOW / 1_000) + 3_600)
    .encode()
  const genuine = await signBearer(keys, claims, times)
  const long = await forge({ payload: { pad: 'a'.repeat(20_000) } })
  const cut = genuine.slice(0, -4)
  const [head = '', body = ''] = genuine.split('.')
  for (const token of [unsigned, long, cut, `${head}.${body}.`, `${head}.${body}`, '', '..', 'a']) {
    expect(await verifyBearer(keys, token, NOW)).toBeNull()
  }
})

test('after a rotation old tokens are valid while their secret is accepted, and new ones carry the new kid', async () => {
  const next = key('k2')
  const old = await signBearer(keys, claims, times)
  expect(await verifyBearer([next, ours], old, NOW)).toEqual(claims)
  const fresh = await signBearer([next, ours], claims, times)
  expect(JSON.parse(atob(fresh.split('.')[0] ?? ''))).toMatchObject({ kid: 'k2' })
  expect(await verifyBearer([next], fresh, NOW)).toEqual(claims)
  expect(await verifyBearer([next], old, NOW)).toBeNull()
})
