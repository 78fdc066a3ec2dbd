import { SignJWT } from 'jose'
import { expect, inject, test } from 'vitest'
import { changePasswordEndpoint } from '../../src/contract/credential.ts'
import { googleFinishEndpoint, NO_PASSWORD } from '../../src/contract/google.ts'
import { ask, good } from '../harness/ask.ts'
import {
  codeOf,
  type GoogleUser,
  locationOf,
  newUser,
  newTraveller,
  useGoogleSite,
} from '../harness/google.ts'
import { testSecrets } from '../harness/services.ts'
import { ROUND_TRIPS_OF_JOURNEYS, roundTripsOf } from '../harness/round-trips.ts'
import { newVisitor, signedIn } from '../harness/visitor.ts'

// edge-api/domain/sign-in/google-sign-in.test.ts tests which accounts are joined or rejected; these tests are about
// browsers, cookies and the answers of Google itself.

const site = useGoogleSite()

const EXPIRED = '/login?problem=google_expired'
const FAILED = '/login?problem=google_failed'
const UNAVAILABLE = '/login?problem=google_unavailable'
const REJECTED = { status: 400, body: { success: false, code: 'LINK_INVALID' } }

/** The name of the cookie of a sign-in, by the address to which Google sends the browser back. */
const cookieIn = (back: string) =>
  `google_transaction_${new URL(back).searchParams.get('state')?.slice(0, 16)}`

async function signIn(googleUser: GoogleUser) {
  return good(googleFinishEndpoint, await newTraveller(site.url).signIn(googleUser))
}

test('without a client id Google is not offered, and its addresses redirect with a sentence', async () => {
  const visitor = newVisitor(inject('siteUrl'))
  expect((await visitor.call('/api/auth/providers')).body).toEqual({ success: true, google: false })
  expect(locationOf(await visitor.call('/api/auth/google/start'))).toBe(UNAVAILABLE)
})

test('the start redirects to Google with PKCE, state, nonce and an HttpOnly cookie', async () => {
  const browser = newTraveller(site.url)
  expect((await browser.call('/api/auth/providers')).body).toEqual({ success: true, google: true })
  const answer = await browser.call('/api/auth/google/start?next=/subscription')
  const { searchParams, origin, pathname } = new URL(locationOf(answer))
  expect(origin + pathname).toBe(`${site.google.url}/authorize`)
  expect(Object.fromEntries(searchParams)).toMatchObject({
    client_id: 'emulator',
    response_type: 'code',
    scope: 'openid email profile',
    prompt: 'select_account',
    redirect_uri: `${site.url}/api/auth/google/callback`,
    code_challenge_method: 'S256',
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
  })
  expect(answer.headers.getSetCookie().join()).toMatch(
    /^google_transaction_[\w-]{16}=[^;]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
  )
})

test('a new user gets a verified account with their name and no password, and signs in again after their address changed', async () => {
  const googleUser = newUser({ name: 'Zoë O’Neil' })
  const browser = newTraveller(site.url)
  const login = await browser.arrive(googleUser, '/subscription?plan=pro')
  expect(login).toMatch(/^\/login#google=[\w-]{43}&next=%2Fsubscription%3Fplan%3Dpro$/)
  const first = good(googleFinishEndpoint, await browser.finish(codeOf(login)))
  const names = { firstName: 'Zoë', lastName: 'O’Neil' }
  expect(first.user).toMatchObject({ email: googleUser.email, isEmailVerified: true, ...names })
  const user = signedIn(newVisitor(site.url), first.token)
  const body = { currentPassword: 'Any-Thing-1', newPassword: 'Louder-Otter-43' }
  expect(await ask(user, changePasswordEndpoint, { body })).toMatchObject({
    status: 400,
    body: { code: 'WRONG_PASSWORD', message: NO_PASSWORD },
  })
  const moved = { ...googleUser, email: `moved.${googleUser.email}`, email_verified: false }
  expect((await signIn(moved)).user).toMatchObject({ id: first.user.id, email: googleUser.email })
})

test('a name that could be read backwards is left out', async () => {
  const googleUser = newUser({ name: 'Zoë \u202elieN' })
  expect((await signIn(googleUser)).user).toMatchObject({ firstName: 'Zoë', lastName: null })
})

test('a sign-in with Google takes the expected number of round trips', async () => {
  const known = newUser()
  await signIn(known)
  for (const googleUser of [known, newUser()]) {
    const browser = newTraveller(site.url)
    const googleStart = roundTripsOf(await browser.call('/api/auth/google/start'))
    const back = await browser.call(await browser.agree(googleUser))
    const finished = await browser.finish(codeOf(locationOf(back)))
    const measured = {
      googleStart,
      googleCallback: roundTripsOf(back),
      googleFinish: roundTripsOf(finished),
    }
    expect(ROUND_TRIPS_OF_JOURNEYS).toMatchObject(measured)
  }
})

test('a forged, missing or foreign state is rejected', async () => {
  const browser = newTraveller(site.url)
  const back = await browser.agree(newUser())
  const cookie = browser.cookies.get(cookieIn(back)) ?? ''
  for (const state of ['forged', '']) {
    browser.cookies.set(cookieIn(back), cookie)
    const url = new URL(back)
    url.searchParams.set('state', state)
    expect(locationOf(await browser.call(url.href))).toBe(EXPIRED)
  }
  // The victim opens a link from somebody who signed in to Google in another browser.
  const victim = newTraveller(site.url)
  expect(locationOf(await victim.call(back))).toBe(EXPIRED)
  await victim.call('/api/auth/google/start')
  expect(locationOf(await victim.call(back))).toBe(EXPIRED)
})

test('a transaction cookie that was altered, or signed for another purpose, is rejected', async () => {
  const browser = newTraveller(site.url)
  const back = await browser.agree(newUser())
  const state = new URL(back).searchParams.get('state') ?? ''
  const cookie = browser.cookies.get(cookieIn(back)) ?? ''
  const bearer = await new SignJWT({ state, nonce: 'n', codeVerifier: 'v', next: null })
    .setProtectedHeader({ alg: 'HS256', kid: 'k1' })
    .setIssuer('accounts')
    .setAudience('api')
    .setExpirationTime('10m')
    .sign(new TextEncoder().encode(testSecrets.JWT_SECRETS.split(':')[1]))
  for (const forged of [`${cookie.slice(0, -4)}AAAA`, bearer, 'nonsense']) {
    browser.cookies.set(cookieIn(back), forged)
    expect(locationOf(await browser.call(back))).toBe(EXPIRED)
  }
  browser.cookies.set(cookieIn(back), cookie)
  expect(locationOf(await browser.call(back))).toMatch(/^\/login#google=/)
  // Google accepts each code once.
  browser.cookies.set(cookieIn(back), cookie)
  expect(locationOf(await browser.call(back))).toBe(FAILED)
})

test('a ticket of Google works once, in no other browser and not as a device_code', async () => {
  const browser = newTraveller(site.url)
  const code = codeOf(await browser.arrive(newUser()))
  const secret = browser.cookies.get(`google_pass_${code.slice(0, 16)}`) ?? ''
  expect(await newTraveller(site.url).finish(code)).toMatchObject(REJECTED)
  for (const device_code of [code, `${code}.${secret}`]) {
    const json = { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code }
    expect(await browser.call('/api/device/token', { json })).toMatchObject({ status: 400 })
  }
  expect((await browser.finish(code)).status).toBe(200)
  browser.cookies.set(`google_pass_${code.slice(0, 16)}`, secret)
  expect(await browser.finish(code)).toMatchObject(REJECTED)
})

test.each([
  ['wrong-nonce', FAILED],
  ['wrong-audience', FAILED],
  ['for-another-app', FAILED],
  ['wrong-issuer', FAILED],
  ['expired', FAILED],
  ['unsigned', FAILED],
  ['foreign-key', FAILED],
  ['no-email', FAILED],
  ['no-email-verified', '/login?problem=google_unverified'],
])('an ID token with the fault %s signs nobody in', async (fault, place) => {
  const browser = newTraveller(site.url)
  const back = await browser.agree(newUser())
  await site.google.misbehave(fault)
  expect(locationOf(await browser.call(back))).toBe(place)
  expect([...browser.cookies.keys()].filter((name) => name.startsWith('google_pass'))).toEqual([])
})

test.each(['garbage', 'server-error', 'slow'])(
  'an unusable answer of Google (%s) leads to /login with a sentence',
  async (fault) => {
    const browser = newTraveller(site.url)
    const back = await browser.agree(newUser())
    await site.google.misbehave(fault)
    expect(locationOf(await browser.call(back))).toBe(UNAVAILABLE)
  },
)
