import { randomUUID } from 'node:crypto'
import { expect, inject, test } from 'vitest'
import { updateProfileEndpoint } from '../../src/contract/account.ts'
import { applyEndpoint } from '../../src/contract/careers.ts'
import {
  forgotPasswordEndpoint,
  resetPasswordEndpoint,
  verifyEmailEndpoint,
} from '../../src/contract/credential.ts'
import {
  activateOrderPublicEndpoint,
  activateSubscriptionEndpoint,
  createOrderEndpoint,
  createSubscriptionEndpoint,
  createTokenOrderEndpoint,
  verifyPaymentEndpoint,
} from '../../src/contract/purchase.ts'
import { loginEndpoint, registerEndpoint } from '../../src/contract/session.ts'
import { submitTicketEndpoint } from '../../src/contract/support.ts'
import { useTokensEndpoint } from '../../src/contract/usage.ts'
import { ask, askGood, bad } from '../harness/ask.ts'
import { createMember } from '../harness/member.ts'
import { newVisitor } from '../harness/visitor.ts'
import { controlOf } from '../harness/world/razorpay-control.ts'

const visitor = () => newVisitor(inject('siteUrl'))
const razorpay = controlOf(inject('emulatorUrl'))

/** What is sent, and the items (path, msg) that come back: sections 3 and 5. */
const REFUSALS: [string, string, object, [string, string][]][] = [
  [
    'register, nothing typed',
    registerEndpoint.path,
    { username: '', email: '', password: '', confirmPassword: '' },
    [
      ['username', 'Username is required'],
      ['email', 'Please enter a valid email address'],
      ['password', 'Password is required'],
      ['confirmPassword', 'Please confirm your password'],
    ],
  ],
  [
    'register, all of it wrong',
    registerEndpoint.path,
    { username: 'a-', email: 'ada', password: 'Quiet', confirmPassword: 'Quiet1' },
    [
      ['username', 'Username must be at least 3 characters'],
      ['username', 'Username can only contain letters, numbers, and underscores'],
      ['email', 'Please enter a valid email address'],
      ['password', 'Password must be at least 6 characters'],
      ['password', 'Password must contain at least one number'],
      ['confirmPassword', 'Passwords do not match'],
    ],
  ],
  [
    'login',
    loginEndpoint.path,
    { email: 'ada', password: '12345' },
    [
      ['email', 'Invalid email address'],
      ['password', 'Password must be at least 6 characters'],
    ],
  ],
  [
    'forgot-password',
    forgotPasswordEndpoint.path,
    { email: 'ada@' },
    [['email', 'Invalid email address']],
  ],
  [
    'reset-password',
    resetPasswordEndpoint.path.replace('{token}', 'none'),
    { password: 'quiet-otter' },
    [
      [
        'password',
        'Password must contain at least one uppercase letter, one lowercase letter, and one number',
      ],
    ],
  ],
  [
    'support',
    submitTicketEndpoint.path,
    { email: 'ada@example.test', query: '' },
    [['query', 'Please fill in all required fields']],
  ],
]

test.each(REFUSALS)('spec 5, %s: each field with its sentence', async (_, path, json, items) => {
  const { status, success, code, errors } = bad(await visitor().call(path, { json }))
  expect({ status, success, code }).toEqual({
    status: 400,
    success: false,
    code: 'VALIDATION_FAILED',
  })
  expect(errors?.map(({ path: field, msg }) => [field, msg])).toEqual(items)
})

test('spec 5, profile: names to 50 characters, a bio to 500', async () => {
  const body = { firstName: 'a'.repeat(51), lastName: 'b'.repeat(51), bio: 'c'.repeat(501) }
  const answer = await ask(await createMember(), updateProfileEndpoint, {
    body: { ...body, phone: '' },
  })
  expect(bad(answer).errors).toEqual([
    { path: 'firstName', msg: 'First name cannot exceed 50 characters' },
    { path: 'lastName', msg: 'Last name cannot exceed 50 characters' },
    { path: 'bio', msg: 'Bio cannot exceed 500 characters' },
  ])
})

test('spec 7 and 8, careers: errors as path and msg, one for each of the required fields', async () => {
  const { success, errors = [] } = bad(await visitor().call(applyEndpoint.path, { json: {} }))
  expect(success).toBe(false)
  expect(errors.map(({ path, msg }) => `${path} ${msg}`)).toEqual([
    'jobId must be chosen from the list',
    'fullName is required',
    'email Email is required',
    'phone is required',
    'resumeUrl must be a web address that starts with https:// or http://',
    'currentLocation is required',
    'workingCountry must be chosen from the list',
    'workAuthorization must be chosen from the list',
    'remotePreference must be chosen from the list',
    'experience is required',
    'whyJoin is required',
  ])
})

test('spec 9: severity is low, medium or high', async () => {
  const submit = (severity: string) => {
    const json = { email: `${randomUUID()}@example.test`, query: 'Hello', severity }
    return visitor().call(submitTicketEndpoint.path, { json })
  }
  for (const severity of ['low', 'medium', 'high']) {
    expect(await submit(severity)).toMatchObject({ status: 200 })
  }
  expect(bad(await submit('urgent')).errors).toEqual([
    { path: 'severity', msg: 'Please send one of: low, medium, high' },
  ])
})

test('spec 8, login and verify-email: what the server says of what is wrong', async () => {
  const body = { email: 'nobody@example.test', password: 'Quiet-Otter-42', rememberMe: false }
  expect(bad(await ask(visitor(), loginEndpoint, { body })).message).toBe(
    'Invalid email or password',
  )
  const params = { token: 'a'.repeat(43) }
  expect(bad(await ask(visitor(), verifyEmailEndpoint, { params })).message).toBe(
    'Email verification failed. The link may be expired or invalid.',
  )
})

test('spec 7, the calls that confirm a payment say "Payment verified successfully!"', async () => {
  const [buyer, other] = [await createMember(), await createMember()]
  const made = await askGood(buyer, createOrderEndpoint, { body: { planType: 'pro' } })
  const triple = await razorpay.pay(made.order.id)
  const shown = { success: true, message: 'Payment verified successfully!' }
  expect(await askGood(visitor(), activateOrderPublicEndpoint, { body: triple })).toMatchObject(
    shown,
  )
  expect(await askGood(buyer, verifyPaymentEndpoint, { body: triple })).toMatchObject(shown)
  const { subscription } = await askGood(other, createSubscriptionEndpoint, {
    body: { planType: 'pro' },
  })
  expect(await askGood(other, activateSubscriptionEndpoint)).toMatchObject({
    success: true,
    status: 'pending',
    message: expect.stringMatching(/^(Your payment is being confirmed|No payment has arrived)/),
  })
  await razorpay.pay(subscription.order.id)
  expect(await askGood(other, activateSubscriptionEndpoint)).toMatchObject(shown)
})

test('spec 7 and 8, what is refused says success false and a sentence to show', async () => {
  const member = await createMember()
  const refusals = [
    bad(await ask(member, createTokenOrderEndpoint, { body: {} })),
    bad(await ask(member, useTokensEndpoint)),
    bad(await ask(member, createOrderEndpoint, { body: { planType: 'pro', amount: 36 } })),
    bad(await ask(member, createSubscriptionEndpoint, { body: { planType: 'gold' } })),
    bad(await ask(member, activateSubscriptionEndpoint)),
  ]
  expect(refusals.map(({ success, message }) => ({ success, message }))).toEqual(
    [
      'Token packs can be bought with an active plan.',
      'Not enough tokens left. You can get more on the plans page.',
      'The price has changed since this page was loaded. Please reload it and try again.',
      'Invalid plan type: gold',
      'We could not find that purchase.',
    ].map((message) => ({ success: false, message })),
  )
})
