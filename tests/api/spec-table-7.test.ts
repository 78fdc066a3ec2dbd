import { randomUUID } from 'node:crypto'
import { expect, inject, test } from 'vitest'
import { z } from 'zod'
import { createMember } from '../harness/member.ts'
import { mailedSecret } from '../harness/stored.ts'
import { type Answer, newVisitor, type Visitor } from '../harness/visitor.ts'
import { controlOf } from '../harness/world/razorpay-control.ts'

// Section 7 of the specification row by row, typed as it stands there: nothing is taken from src/contract, so that an
// address, a field or a sentence that changes there is seen here.

const visitor = () => newVisitor(inject('siteUrl'))
const razorpay = controlOf(inject('emulatorUrl'))
const buyer = () => createMember({ hasPlan: true })
const post = (from: Visitor, path: string, json?: object) =>
  from.call(path, { method: 'POST', ...(json === undefined ? {} : { json }) })

const PASSWORD = 'Quiet-Otter-42'
const registration = () => {
  const username = `t_${randomUUID().slice(0, 20).replaceAll('-', '')}`
  const email = `${username}@example.test`
  return { username, email, password: PASSWORD, confirmPassword: PASSWORD }
}

async function mailedLink(kind: 'verify-email' | 'reset-password') {
  const person = registration()
  await post(visitor(), '/api/auth/register', person)
  const { email } = person
  if (kind === 'reset-password') await post(visitor(), '/api/auth/forgot-password', { email })
  return mailedSecret(email, kind)
}

const Ordered = z.object({ order: z.object({ id: z.string() }) })

/** Orders, pays, and answers what the payment window hands over. */
async function paid(from: Visitor, path: string, json: object) {
  const { body } = await post(from, path, json)
  return razorpay.pay(Ordered.parse(body).order.id)
}

const ORDER = { planType: 'pro', amount: 2_999, preferredCurrency: 'INR' }
const text = expect.any(String)
const said = (message: unknown = text) => ({ success: true, message })
const verified = said('Payment verified successfully!')
const signedIn = (message: string) => ({
  ...said(message),
  token: text,
  user: { username: text, email: text },
})
const order = (amount: number) => ({ order: { id: text, amount, currency: 'INR' } })
const APPLICATION = {
  jobId: 'staff-software-engineer-cto',
  fullName: 'Ada Lovelace',
  email: 'ada@example.test',
  phone: '+44 20 1234',
  linkedinUrl: 'https://example.test/ada',
  githubUrl: 'https://example.test/engine',
  resumeUrl: 'https://example.test/cv.pdf',
  currentLocation: 'London, United Kingdom',
  workingCountry: 'South Korea',
  workAuthorization: 'h1b',
  remotePreference: 'office-preferred',
  experience: 'Engines',
  whyJoin: 'Words',
}

/** The row, a call as it says, and what of the answer it names. */
const ROWS: [string, () => Promise<Answer>, object][] = [
  [
    'POST /api/auth/login',
    async () => {
      const { email } = await createMember()
      return post(visitor(), '/api/auth/login', { email, password: PASSWORD })
    },
    signedIn('Login successful!'),
  ],
  [
    'POST /api/auth/register',
    () => post(visitor(), '/api/auth/register', registration()),
    signedIn('Registration successful! Please check your email to verify your account.'),
  ],
  [
    'GET /api/auth/me',
    async () => (await buyer()).call('/api/auth/me'),
    { success: true, user: { tokens: { used: 0, total: 1_000_000 } } },
  ],
  [
    'POST /api/auth/logout',
    async () => post(await createMember(), '/api/auth/logout'),
    said('Logged out successfully'),
  ],
  [
    'POST /api/auth/forgot-password',
    () => post(visitor(), '/api/auth/forgot-password', { email: `${randomUUID()}@example.test` }),
    said(),
  ],
  [
    'POST /api/auth/reset-password/{token}',
    async () => {
      const token = await mailedLink('reset-password')
      return post(visitor(), `/api/auth/reset-password/${token}`, { password: 'Louder-Otter-43' })
    },
    said('Password reset successful!'),
  ],
  [
    'GET /api/auth/verify-email/{token}',
    async () => visitor().call(`/api/auth/verify-email/${await mailedLink('verify-email')}`),
    said('Email verified successfully!'),
  ],
  [
    'GET /api/subscription/plan-amounts?currency={currency}',
    () => visitor().call('/api/subscription/plan-amounts?currency=INR'),
    { success: true, planAmounts: { pro: 2_999 } },
  ],
  [
    'GET /api/subscription/plans?currency=...',
    () => visitor().call('/api/subscription/plans?currency=INR'),
    { success: true, plans: { pro: { id: 'pro', name: 'Pro', price: 2_999 } } },
  ],
  [
    'GET /api/subscription/plans-with-pricing?currency={USD or INR}',
    () => visitor().call('/api/subscription/plans-with-pricing?currency=INR'),
    { success: true, plans: [{ id: 'pro', name: 'Pro', price: 2_999 }] },
  ],
  [
    'GET /api/subscription/current',
    async () => (await buyer()).call('/api/subscription/current'),
    { success: true, subscription: { status: 'active' }, tokens: { used: 0, total: 1_000_000 } },
  ],
  [
    'POST /api/subscription/cancel',
    async () => post(await buyer(), '/api/subscription/cancel'),
    said('Subscription will be cancelled at the end of the billing period'),
  ],
  [
    'POST /api/subscription/reactivate',
    async () => {
      const owner = await buyer()
      await post(owner, '/api/subscription/cancel')
      return post(owner, '/api/subscription/reactivate')
    },
    said('Subscription reactivated successfully'),
  ],
  [
    'POST /api/subscription/use-tokens',
    async () => post(await buyer(), '/api/subscription/use-tokens', { amount: 7 }),
    { success: true, used: 7, tokens: { used: 7, total: 1_000_000 } },
  ],
  [
    'POST /api/payment/create-subscription',
    async () => {
      const body = { planType: 'pro', preferredCurrency: 'INR' }
      return post(await createMember(), '/api/payment/create-subscription', body)
    },
    {
      success: true,
      subscription: { id: text, planName: 'Pro', razorpayKeyId: text, ...order(299_900) },
    },
  ],
  [
    'POST /api/payment/create-order',
    async () => post(await createMember(), '/api/payment/create-order', ORDER),
    { success: true, upiEnabled: true, ...order(299_900) },
  ],
  [
    'POST /api/payment/create-payment-link',
    async () => {
      const body = { ...ORDER, description: 'Pro for me' }
      return post(await createMember(), '/api/payment/create-payment-link', body)
    },
    { success: true, paymentLink: { url: text, amount: 299_900, currency: 'INR' } },
  ],
  [
    'POST /api/payment/verify-payment',
    async () => {
      const member = await createMember()
      const triple = await paid(member, '/api/payment/create-order', ORDER)
      return post(member, '/api/payment/verify-payment', { ...triple, planType: 'pro' })
    },
    verified,
  ],
  [
    'GET /api/payment/status/{id}',
    async () => {
      const member = await createMember()
      const { orderId } = await paid(member, '/api/payment/create-order', ORDER)
      return member.call(`/api/payment/status/${orderId}`)
    },
    { success: true, payment: { amount: 299_900, currency: 'INR' } },
  ],
  [
    'POST /api/payment/create-token-order',
    async () => post(await buyer(), '/api/payment/create-token-order', { currency: 'INR' }),
    { success: true, upiEnabled: true, ...order(219_900) },
  ],
  [
    'POST /api/payment/activate-token-purchase',
    async () => {
      const owner = await buyer()
      const body = await paid(owner, '/api/payment/create-token-order', { currency: 'USD' })
      return post(owner, '/api/payment/activate-token-purchase', body)
    },
    said('Tokens purchased successfully! 1,000,000 tokens have been added to your account.'),
  ],
  [
    'POST /api/payment/activate-subscription-immediate',
    async () => {
      const member = await createMember()
      await paid(member, '/api/payment/create-order', ORDER)
      return post(member, '/api/payment/activate-subscription-immediate')
    },
    verified,
  ],
  [
    'POST /api/payment/activate-order-public',
    async () => {
      const body = await paid(await createMember(), '/api/payment/create-order', ORDER)
      return post(visitor(), '/api/payment/activate-order-public', body)
    },
    verified,
  ],
  [
    'POST /api/support/submit',
    () => {
      const email = `${randomUUID()}@example.test`
      const body = { email, severity: 'high', isFeatureRequest: true, query: 'Hello' }
      return post(visitor(), '/api/support/submit', body)
    },
    said('Support ticket submitted successfully!'),
  ],
  [
    'POST /api/careers/apply',
    () => post(visitor(), '/api/careers/apply', APPLICATION),
    said("Application submitted successfully! We'll be in touch soon."),
  ],
]

test.each(ROWS)('spec 7: %s', async (_row, call, answered) => {
  const { status, body } = await call()
  expect({ status, body }).toMatchObject({ status: 200, body: answered })
})
