import { randomUUID } from 'node:crypto'
import { expect, inject, test } from 'vitest'
import { exampleOf } from '../../edge-api/http/openapi/examples.ts'
import { meEndpoint, updateProfileEndpoint } from '../../src/contract/account.ts'
import { applyEndpoint } from '../../src/contract/careers.ts'
import {
  planAmountsEndpoint,
  plansEndpoint,
  plansWithPricingEndpoint,
} from '../../src/contract/catalogue.ts'
import {
  forgotPasswordEndpoint,
  resetPasswordEndpoint,
  verifyEmailEndpoint,
} from '../../src/contract/credential.ts'
import { loginEndpoint, logoutEndpoint, registerEndpoint } from '../../src/contract/session.ts'
import {
  cancelSubscriptionEndpoint,
  currentSubscriptionEndpoint,
  reactivateSubscriptionEndpoint,
} from '../../src/contract/subscription.ts'
import { submitTicketEndpoint } from '../../src/contract/support.ts'
import { useTokensEndpoint } from '../../src/contract/usage.ts'
import { ask, askGood, bad } from '../harness/ask.ts'
import { createMember } from '../harness/member.ts'
import { mailedSecret } from '../harness/stored.ts'
import { newVisitor } from '../harness/visitor.ts'

const visitor = () => newVisitor(inject('siteUrl'))

function newcomer() {
  const username = `s_${randomUUID().slice(0, 20).replaceAll('-', '')}`
  const password = 'Quiet-Otter-42'
  return { username, email: `${username}@example.test`, password, confirmPassword: password }
}

test('spec 7, register and login: token and user, and the toast of section 8', async () => {
  const person = newcomer()
  const registered = await askGood(visitor(), registerEndpoint, { body: person })
  expect(registered.message).toBe(
    'Registration successful! Please check your email to verify your account.',
  )
  expect(registered.user).toMatchObject({ username: person.username, isEmailVerified: false })
  const { email, password } = person
  const loggedIn = await askGood(visitor(), loginEndpoint, { body: { email, password } })
  expect(loggedIn.message).toBe('Login successful!')
  expect(loggedIn.user.id).toBe(registered.user.id)
  expect(loggedIn.token).not.toBe(registered.token)
})

test('spec 7, me: the user with the fields of section 3', async () => {
  const { user } = await askGood(await createMember({ hasPlan: true }), meEndpoint)
  expect(Object.keys(user)).toEqual(
    expect.arrayContaining([
      'username',
      'email',
      'isEmailVerified',
      'createdAt',
      'phone',
      'firstName',
      'lastName',
      'profile',
      'subscription',
      'tokens',
    ]),
  )
  expect(Object.keys(user.profile)).toEqual(['firstName', 'lastName', 'fullName', 'bio'])
  expect(user.subscription).toMatchObject({ status: 'active', plan: 'pro' })
  expect(user.tokens).toEqual({ used: 0, total: 1_000_000 })
})

test('spec 7, logout: "Logged out successfully"', async () => {
  const { message } = await askGood(await createMember(), logoutEndpoint)
  expect(message).toBe('Logged out successfully')
})

test('spec 7, forgot-password, reset-password, verify-email: their toasts', async () => {
  const { email } = await createMember()
  await askGood(visitor(), forgotPasswordEndpoint, { body: { email } })
  const token = await mailedSecret(email, 'reset-password')
  const body = { password: 'Louder-Otter-43' }
  const reset = await askGood(visitor(), resetPasswordEndpoint, { params: { token }, body })
  expect(reset.message).toBe('Password reset successful!')
  const person = newcomer()
  await askGood(visitor(), registerEndpoint, { body: person })
  const params = { token: await mailedSecret(person.email, 'verify-email') }
  const verified = await askGood(visitor(), verifyEmailEndpoint, { params })
  expect(verified.message).toBe('Email verified successfully!')
})

test('spec 8, verify-email: a link that is none is told so', async () => {
  const params = { token: 'no-link-of-ours' }
  const { status, message } = bad(await ask(visitor(), verifyEmailEndpoint, { params }))
  expect({ status, message }).toEqual({
    status: 400,
    message: 'Email verification failed. The link may be expired or invalid.',
  })
})

test.each([
  ['USD', 35, 25],
  ['INR', 2_999, 2_199],
] as const)('spec 7 and 9: plans and prices in %s', async (currency, plan, pack) => {
  const query = { currency }
  const amounts = await askGood(visitor(), planAmountsEndpoint, { query })
  expect(amounts.planAmounts).toEqual({ pro: plan })
  const keyed = await askGood(visitor(), plansEndpoint, { query })
  expect(keyed.plans['pro']).toMatchObject({ id: 'pro', name: 'Pro', price: plan, currency })
  const priced = await askGood(visitor(), plansWithPricingEndpoint, { query })
  expect(priced.plans.map(({ id, price }) => [id, price])).toEqual([['pro', plan]])
  expect(priced.tokenPack).toEqual({ price: pack, currency, tokens: 1_000_000 })
})

test('spec 9: USD is the currency when none is given, another than USD and INR is refused', async () => {
  expect((await askGood(visitor(), planAmountsEndpoint)).planAmounts).toEqual({ pro: 35 })
  const { status, body } = await visitor().call('/api/subscription/plans?currency=EUR')
  expect({ status, body }).toMatchObject({ status: 400, body: { errors: [{ path: 'currency' }] } })
})

test('spec 7, current: status and tokens; inactive is the default', async () => {
  const none = await askGood(await createMember(), currentSubscriptionEndpoint)
  expect(none).toMatchObject({
    subscription: { status: 'inactive', plan: null },
    tokens: { used: 0, total: 0 },
  })
})

test('spec 7, cancel and reactivate: their toasts, and the plan runs on to its end', async () => {
  const member = await createMember({ hasPlan: true })
  const cancelled = await askGood(member, cancelSubscriptionEndpoint)
  expect(cancelled.message).toBe('Subscription will be cancelled at the end of the billing period')
  expect(cancelled.subscription).toMatchObject({ status: 'active', cancelAtPeriodEnd: true })
  expect((await askGood(member, cancelSubscriptionEndpoint)).subscription).toEqual(
    cancelled.subscription,
  )
  const back = await askGood(member, reactivateSubscriptionEndpoint)
  expect(back.message).toBe('Subscription reactivated successfully')
  expect(back.subscription).toMatchObject({ status: 'active', cancelAtPeriodEnd: false })
  const nothing = await ask(member, reactivateSubscriptionEndpoint)
  expect(bad(nothing)).toMatchObject({ status: 409, code: 'NOTHING_TO_CHANGE' })
  const without = await ask(await createMember(), cancelSubscriptionEndpoint)
  expect(bad(without)).toMatchObject({ status: 409, message: 'There is no active plan to cancel.' })
})

test('spec 7, use-tokens: one by default; with too few left nothing is spent', async () => {
  const member = await createMember({ tokens: 100 })
  const one = await askGood(member, useTokensEndpoint)
  expect(one).toMatchObject({ used: 1, tokens: { used: 1, total: 100 } })
  const many = await ask(member, useTokensEndpoint, { body: { amount: 100 } })
  expect(bad(many)).toMatchObject({ status: 402, code: 'INSUFFICIENT_TOKENS' })
  expect((await askGood(member, currentSubscriptionEndpoint)).tokens.used).toBe(1)
})

test('T3 a retry with its Idempotency-Key spends once, with another amount it is 409', async () => {
  const member = await createMember({ tokens: 100 })
  const body = { amount: 10 }
  const idempotencyKey = randomUUID()
  const tries = Array.from({ length: 5 }, () =>
    askGood(member, useTokensEndpoint, { body, idempotencyKey }),
  )
  const answers = await Promise.all(tries)
  expect(new Set(answers.map(({ tokens }) => tokens.used))).toEqual(new Set([10]))
  const other = await ask(member, useTokensEndpoint, { body: { amount: 11 }, idempotencyKey })
  expect(bad(other)).toMatchObject({ status: 409, code: 'IDEMPOTENCY_KEY_REUSED' })
  const badKey = await ask(member, useTokensEndpoint, { body, idempotencyKey: 'a'.repeat(101) })
  expect(bad(badKey).errors?.[0]?.path).toBe('Idempotency-Key')
})

test('T2 of 50 uses of 10 at once with 100 left, 10 succeed and 40 are 402', async () => {
  const member = await createMember({ tokens: 100 })
  const uses = Array.from({ length: 50 }, () =>
    ask(member, useTokensEndpoint, { body: { amount: 10 } }),
  )
  const statuses = (await Promise.all(uses)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(10)
  expect(statuses.filter((status) => status === 402)).toHaveLength(40)
  expect((await askGood(member, currentSubscriptionEndpoint)).tokens).toEqual({
    used: 100,
    total: 100,
  })
})

test('spec 7, support and careers: success and message', async () => {
  const email = `${randomUUID()}@example.test`
  const ticket = await askGood(visitor(), submitTicketEndpoint, {
    body: { email, severity: 'low', isFeatureRequest: false, query: 'Hello' },
  })
  expect(ticket.message).toBe('Support ticket submitted successfully!')
  const answer = await ask(visitor(), applyEndpoint)
  expect(bad(answer)).toMatchObject({ status: 400, success: false })
  const body = applyEndpoint.body.parse(exampleOf(applyEndpoint).body)
  expect((await askGood(visitor(), applyEndpoint, { body })).message).toBe(
    "Application submitted successfully! We'll be in touch soon.",
  )
})

test('spec 5, profile: names and bio are kept, username and address never change', async () => {
  const member = await createMember()
  const profile = { firstName: ' Ada ', lastName: 'Lovelace', bio: 'one\ntwo', phone: '' }
  const smuggled = { ...profile, username: 'other', email: 'other@example.test' }
  const { user, message } = await askGood(member, updateProfileEndpoint, { body: smuggled })
  expect(message).toBe('Profile saved')
  expect(user).toMatchObject({ username: member.username, email: member.email, phone: null })
  expect(user.profile).toEqual({
    firstName: 'Ada',
    lastName: 'Lovelace',
    fullName: 'Ada Lovelace',
    bio: 'one\ntwo',
  })
})
