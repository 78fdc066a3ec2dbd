import type { AuthenticationResponseJSON } from '@simplewebauthn/browser'
import { expect, test } from 'vitest'
import { createStoreFixture } from '../../../tests/stores/store-fixture.ts'
import { aUser } from '../../../tests/stores/samples.ts'
import {
  checkResetLinkEndpoint,
  forgotPasswordEndpoint,
  verifyEmailEndpoint,
} from '../../contract/credential.ts'
import { passkeyChallengeEndpoint, passkeySignInEndpoint } from '../../contract/factor.ts'
import { loginEndpoint, registerEndpoint } from '../../contract/session.ts'
import { createEmailVerification } from '../verify-email/email-verification.ts'
import { createForgottenPassword } from '../forgot-password/forgotten-password.ts'
import { createPasswordReset } from '../reset-password/password-reset.ts'
import { createRegistration } from '../register/registration.ts'
import { offerPasskeySignIn } from './passkey-sign-in.ts'
import { createSignIn } from './sign-in.ts'

const SIGNED_IN = { token: 'new', expiresAt: '2026-11-22T00:00:00.000Z', user: aUser() }

async function signInFixture() {
  const fixture = await createStoreFixture({ path: '/login', guard: 'guest' })
  let done = 0
  const onSignedIn = () => {
    done += 1
  }
  const form = createSignIn({ onSignedIn, onSecondStep: () => undefined })
  form.reset({ email: 'ada@example.test', password: 'Quiet-line-1', rememberMe: true })
  return { ...fixture, form, done: () => done }
}

test('a failure without a message shows the fallback and what to do', async () => {
  const { server, form, said } = await signInFixture()
  server.cutOff(loginEndpoint)
  await form.submit()
  expect(said()).toEqual(['error: Login failed'])
  expect(form.$form.get().problem).toContain('Check your connection')
})

test('a passkey that the browser offers gets a new challenge before the old one expires, and none after it was used', async () => {
  const fixture = await createStoreFixture({ path: '/login', guard: 'guest' })
  const { server, environment } = fixture
  const options = {
    challenge: 'a',
    rpId: 'a',
    timeout: 300_000,
    userVerification: 'required',
  } as const
  for (const sealed of ['old', 'new']) server.answer(passkeyChallengeEndpoint, { sealed, options })
  server.answer(passkeySignInEndpoint, SIGNED_IN)
  const offers: ((chosen: AuthenticationResponseJSON) => void)[] = []
  const offer = () => new Promise<AuthenticationResponseJSON>((resolve) => offers.push(resolve))
  const deps = {
    rememberMe: () => false,
    onSignedIn: () => environment.navigate('/dashboard'),
  }
  void offerPasskeySignIn(deps, { mayOffer: () => Promise.resolve(true), offer })
  await expect.poll(() => offers.length).toBe(1)
  await fixture.advance(290_000)
  await expect.poll(() => offers.length).toBe(2)
  const response = { clientDataJSON: 'a', authenticatorData: 'a', signature: 'a' }
  offers[1]?.({ id: 'a', rawId: 'a', type: 'public-key', clientExtensionResults: {}, response })
  await expect.poll(() => fixture.went).toEqual(['/dashboard'])
  expect(server.requests.at(-1)?.body).toMatchObject({ sealed: 'new' })
  const asked = server.requests.length
  await fixture.advance(900_000)
  expect(server.requests).toHaveLength(asked)
})

test('registering signs in; a failure without a message shows "Registration failed"', async () => {
  const fixture = await createStoreFixture({ path: '/register', guard: 'guest' })
  const form = createRegistration()
  const password = 'Quiet-line-1'
  form.reset({ username: 'ada', email: 'ada@example.test', password, confirmPassword: password })
  fixture.server.answerRaw(registerEndpoint, 502, '<h1>Bad gateway</h1>')
  await form.submit()
  expect(fixture.said()).toEqual(['error: Registration failed'])
  fixture.server.forget(registerEndpoint)
  fixture.server.answer(registerEndpoint, { ...SIGNED_IN, message: 'Registered.' })
  await form.submit()
  expect(fixture.token()).toBe('new')
  expect(fixture.said().at(-1)).toBe('success: Registered.')
})

test('the page of a mailed link verifies by itself where somebody is signed in, and elsewhere waits for a person', async () => {
  const path = '/verify-email/s3cret'
  for (const isSignedIn of [true, false]) {
    const fixture = await createStoreFixture({ path, guard: 'public', isSignedIn })
    const { $verification, open, verify } = createEmailVerification()
    fixture.server.answer(verifyEmailEndpoint, { email: aUser().email, trialTokens: 0 })
    if (!isSignedIn) await fixture.session.start()
    await open()
    expect($verification.get().step).toBe(isSignedIn ? 'verified' : 'waiting')
    await verify()
    expect($verification.get().step).toBe('verified')
    const paths = fixture.server.requests.map((request) => request.path)
    expect(paths.filter((one) => one.includes('verify-email'))).toHaveLength(1)
  }
})

test('a user who stays after the verification is not redirected, and neither is one of another account', async () => {
  const path = '/verify-email/s3cret'
  const other = await createStoreFixture({ path, guard: 'public', isSignedIn: true })
  other.server.answer(verifyEmailEndpoint, { email: 'other@example.test', trialTokens: 0 })
  const verification = createEmailVerification()
  await verification.verify()
  await other.advance(10_000)
  expect(verification.$verification.get().step).toBe('verified')
  expect(other.went).toEqual([])
  const fixture = await createStoreFixture({ path, guard: 'public', isSignedIn: true })
  const { verify, redirect } = createEmailVerification()
  fixture.server.answer(verifyEmailEndpoint, { email: aUser().email, trialTokens: 0 })
  await verify()
  await fixture.advance(2_000)
  redirect.stay()
  await fixture.advance(10_000)
  expect([fixture.went, redirect.$isStaying.get()]).toEqual([[], true])
})

test.each([
  { how: 'refuse', message: 'The server says so.' },
  { how: 'raw', message: 'Email verification failed. Please try again.' },
  { how: 'cut', message: 'Email verification failed. The link may be expired or invalid.' },
])('verification that fails ($how): $message', async ({ how, message }) => {
  const fixture = await createStoreFixture({ path: '/verify-email/x', guard: 'public' })
  const { $verification, verify } = createEmailVerification()
  if (how === 'refuse') fixture.server.refuse(verifyEmailEndpoint, 'LINK_INVALID', message)
  if (how === 'raw') fixture.server.answerRaw(verifyEmailEndpoint, 500, '')
  if (how === 'cut') fixture.server.cutOff(verifyEmailEndpoint)
  await verify()
  expect($verification.get()).toEqual({ step: 'failed', message })
})

test('an invalid reset link is reported when the page opens; without an answer the form stays', async () => {
  const { server, said } = await createStoreFixture({
    path: '/reset-password/s3cret',
    guard: 'public',
  })
  const reset = createPasswordReset()
  server.cutOff(checkResetLinkEndpoint)
  await reset.checkLink()
  expect(reset.$rejection.get()).toBeNull()
  server.forget(checkResetLinkEndpoint)
  server.refuse(checkResetLinkEndpoint, 'LINK_INVALID', 'This link is invalid.')
  await reset.checkLink()
  expect([reset.$rejection.get(), said()]).toEqual(['This link is invalid.', []])
})

test.each(['/verify-email', '/reset-password', '/reset-password/'])(
  '%s without a token opens the landing page without a call',
  async (path) => {
    const { server, went } = await createStoreFixture({ path, guard: 'public' })
    if (path === '/verify-email') await createEmailVerification().verify()
    else await createPasswordReset().checkLink()
    expect([went, server.requests]).toEqual([['/'], []])
  },
)

test('another reset mail can be asked for, and the field of the address has the focus', async () => {
  const fixture = await createStoreFixture({ path: '/forgot-password', guard: 'guest' })
  const { form, $sentTo, sendAnother } = createForgottenPassword()
  fixture.server.answer(forgotPasswordEndpoint, {})
  form.setValue('email', 'ada@example.test')
  await form.submit()
  expect($sentTo.get()).toBe('ada@example.test')
  sendAnother()
  expect([$sentTo.get(), form.$form.get().focus]).toEqual([null, { field: 'email' }])
})
