import { SignJWT } from 'jose'
import { expect, inject, onTestFinished, test } from 'vitest'
import {
  codeOf,
  locationOf,
  newPerson,
  newTraveller,
  startGoogle,
  useGoogleSite,
} from '../harness/google.ts'
import { startWorker, testSecrets } from '../harness/services.ts'

const site = useGoogleSite()

const EXPIRED = '/login?problem=google_expired'
const FAILED = '/login?problem=google_failed'
const REFUSED = { status: 400, body: { success: false, code: 'LINK_INVALID' } }

test('a forged, missing or foreign state is refused', async () => {
  const traveller = newTraveller(site.url)
  const back = await traveller.agree(newPerson())
  const cookie = traveller.cookies.get('google_transaction') ?? ''
  for (const state of ['forged', '']) {
    traveller.cookies.set('google_transaction', cookie)
    const url = new URL(back)
    url.searchParams.set('state', state)
    expect(locationOf(await traveller.call(url.href))).toBe(EXPIRED)
  }
  // The victim opens a link from somebody who signed in to Google in another browser.
  const victim = newTraveller(site.url)
  expect(locationOf(await victim.call(back))).toBe(EXPIRED)
  await victim.call('/api/auth/google/start')
  expect(locationOf(await victim.call(back))).toBe(EXPIRED)
})

test('a transaction cookie that was altered, or signed for another purpose, is refused', async () => {
  const traveller = newTraveller(site.url)
  const back = await traveller.agree(newPerson())
  const state = new URL(back).searchParams.get('state') ?? ''
  const cookie = traveller.cookies.get('google_transaction') ?? ''
  const secret = new TextEncoder().encode(testSecrets.JWT_SECRETS.split(':')[1])
  const bearer = await new SignJWT({ state, nonce: 'n', codeVerifier: 'v', next: null })
    .setProtectedHeader({ alg: 'HS256', kid: 'k1' })
    .setIssuer('accounts')
    .setAudience('api')
    .setExpirationTime('10m')
    .sign(secret)
  for (const forged of [`${cookie.slice(0, -4)}AAAA`, bearer, 'nonsense']) {
    traveller.cookies.set('google_transaction', forged)
    expect(locationOf(await traveller.call(back))).toBe(EXPIRED)
  }
  traveller.cookies.set('google_transaction', cookie)
  expect(locationOf(await traveller.call(back))).toMatch(/^\/login#google=/)
})

test('an answer is refused the second time, even with the cookie restored', async () => {
  const traveller = newTraveller(site.url)
  const back = await traveller.agree(newPerson())
  const cookie = traveller.cookies.get('google_transaction') ?? ''
  expect(locationOf(await traveller.call(back))).toMatch(/^\/login#google=/)
  expect(locationOf(await traveller.call(back))).toBe(EXPIRED)
  traveller.cookies.set('google_transaction', cookie)
  expect(locationOf(await traveller.call(back))).toBe(FAILED)
})

test('a one-time code opens one session, however often it is used at once', async () => {
  const traveller = newTraveller(site.url)
  const code = codeOf(await traveller.arrive(newPerson()))
  const pass = traveller.cookies.get('google_pass') ?? ''
  const tries = await Promise.all(
    [1, 2, 3, 4].map(() => {
      const twin = newTraveller(site.url)
      twin.cookies.set('google_pass', pass)
      return twin.finish(code)
    }),
  )
  expect(tries.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400])
  traveller.cookies.set('google_pass', pass)
  expect(await traveller.finish(code)).toMatchObject(REFUSED)
})

test('a one-time code works in no other browser and not as a device_code', async () => {
  const traveller = newTraveller(site.url)
  const code = codeOf(await traveller.arrive(newPerson()))
  const secret = traveller.cookies.get('google_pass') ?? ''
  expect(await newTraveller(site.url).finish(code)).toMatchObject(REFUSED)
  for (const device_code of [code, `${code}.${secret}`]) {
    const json = { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code }
    expect(await traveller.call('/api/device/token', { json })).toMatchObject({ status: 400 })
  }
  expect((await traveller.finish(code)).status).toBe(200)
})

test.each([
  'wrong-nonce',
  'wrong-audience',
  'wrong-issuer',
  'expired',
  'unsigned',
  'foreign-key',
  'no-email',
])('an ID token with the fault %s signs nobody in', async (fault) => {
  const person = newPerson()
  const traveller = newTraveller(site.url)
  const back = await traveller.agree(person)
  await site.google.misbehave(fault)
  expect(locationOf(await traveller.call(back))).toBe(FAILED)
  expect(traveller.cookies.has('google_pass')).toBe(false)
  // The refusal created no account: the next sign-in does.
  expect((await traveller.signIn(person)).status).toBe(200)
})

test.each(['garbage', 'server-error', 'slow'])(
  'an unusable answer of Google (%s) leads to /login with a sentence',
  async (fault) => {
    const traveller = newTraveller(site.url)
    const back = await traveller.agree(newPerson())
    await site.google.misbehave(fault)
    const startedAt = performance.now()
    expect(locationOf(await traveller.call(back))).toBe('/login?problem=google_unavailable')
    expect(performance.now() - startedAt).toBeLessThan(8_000)
  },
)

test('a browser beyond the rate limit is redirected with a sentence', async () => {
  const traveller = newTraveller(site.url)
  const tries = await Promise.all(
    Array.from({ length: 14 }, () => traveller.call('/api/auth/google/start')),
  )
  expect(tries.map(locationOf)).toContain('/login?problem=google_busy')
})

test('the emulator refuses what Google refuses: an unknown client, another redirect_uri, no PKCE', async () => {
  const traveller = newTraveller(site.url)
  const good = new URL(locationOf(await traveller.call('/api/auth/google/start')))
  const bad = {
    client_id: 'somebody',
    redirect_uri: 'http://localhost/elsewhere',
    code_challenge_method: 'plain',
    code_challenge: 'short',
  }
  for (const [name, value] of Object.entries(bad)) {
    const url = new URL(good)
    url.searchParams.set(name, value)
    expect((await fetch(url)).status).toBe(400)
  }
  const code = new URL(await traveller.agree(newPerson())).searchParams.get('code') ?? ''
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: `${site.url}/api/auth/google/callback`,
    client_id: 'emulator',
    client_secret: 'emulator_client_secret_0001',
    code_verifier: 'x'.repeat(43),
  })
  const answer = await fetch(`${site.google.url}/token`, { method: 'POST', body })
  expect(await answer.json()).toEqual({ error: 'invalid_grant' })
})

test('when Google is unreachable, sign-in leads to /login with a sentence', async () => {
  const google = await startGoogle()
  onTestFinished(google.stop)
  const urls = { databaseUrl: inject('databaseUrl'), emulatorUrl: inject('emulatorUrl') }
  const worker = await startWorker({ ...urls, vars: google.vars })
  onTestFinished(worker.stop)
  const traveller = newTraveller(worker.url)
  const back = await traveller.agree(newPerson())
  await google.kill()
  expect(locationOf(await traveller.call(back))).toBe('/login?problem=google_unavailable')
})
