import { newRegistration } from '../harness/registration.ts'
import { randomUUID } from 'node:crypto'
import { expect, inject, test } from 'vitest'
import { z } from 'zod'
import { CAREERS, PURCHASE, TOAST } from '../../src/contract/messages.ts'
import { bad } from '../harness/ask.ts'
import { createMember, PASSWORD } from '../harness/member.ts'
import { mailedSecret } from '../harness/stored.ts'
import { type Answer, visitor, type Visitor } from '../harness/visitor.ts'
import { controlOf } from '../harness/world/razorpay.ts'

// Every call of the specification with its body and answer, typed as the specification has them: a path or a field that
// changes in src/contract fails here. Its sentences are pinned in src/contract/messages.test.ts.

const razorpay = controlOf(inject('emulatorUrl'))
const buyer = () => createMember({ hasPlan: true })
const post = (from: Visitor, path: string, json?: object) =>
  from.call(path, { method: 'POST', ...(json === undefined ? {} : { json }) })

async function mailedLink(kind: 'verify-email' | 'reset-password') {
  const person = newRegistration()
  await post(visitor(), '/api/auth/register', person)
  const { email } = person
  if (kind === 'reset-password') await post(visitor(), '/api/auth/forgot-password', { email })
  return mailedSecret(email, kind)
}

const Ordered = z.object({ order: z.object({ id: z.string() }) })

/** Orders, pays, and returns what the payment window hands to its page. */
async function paid(from: Visitor, path: string, json: object) {
  const { body } = await post(from, path, json)
  return razorpay.pay(Ordered.parse(body).order.id)
}

const ORDER = { planType: 'pro', amount: 2_999, preferredCurrency: 'INR' }
const text = expect.any(String)
const said = (message: unknown = text) => ({ success: true, message })
const verified = said(TOAST.paymentVerified)
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

interface Row {
  /** Method and path as the specification writes them. */
  call: string
  /** The fields of its body. */
  fields?: string
  send: () => Promise<Answer>
  /** What the specification says of the answer. */
  answer: object
}

const CALLS: Row[] = [
  {
    call: 'POST /api/auth/login',
    fields: 'email, password',
    send: async () => {
      const { email } = await createMember()
      return post(visitor(), '/api/auth/login', { email, password: PASSWORD })
    },
    answer: signedIn(TOAST.loggedIn),
  },
  {
    call: 'POST /api/auth/register',
    fields: 'username, email, password, confirmPassword',
    send: () => post(visitor(), '/api/auth/register', newRegistration()),
    answer: signedIn(TOAST.registered),
  },
  {
    call: 'GET /api/auth/me',
    send: async () => (await buyer()).call('/api/auth/me'),
    answer: {
      success: true,
      user: {
        username: text,
        email: text,
        isEmailVerified: true,
        createdAt: text,
        phone: null,
        firstName: null,
        lastName: null,
        profile: { firstName: null, lastName: null, fullName: null, bio: null },
        subscription: { status: 'active', plan: 'pro', currentPeriodEnd: text },
        tokens: { used: 0, total: 1_000_000 },
      },
    },
  },
  {
    call: 'POST /api/auth/logout',
    send: async () => post(await createMember(), '/api/auth/logout'),
    answer: said(TOAST.loggedOut),
  },
  {
    call: 'POST /api/auth/forgot-password',
    fields: 'email',
    send: () =>
      post(visitor(), '/api/auth/forgot-password', { email: `${randomUUID()}@example.test` }),
    answer: said(),
  },
  {
    call: 'POST /api/auth/reset-password/{token}',
    fields: 'password',
    send: async () => {
      const token = await mailedLink('reset-password')
      return post(visitor(), `/api/auth/reset-password/${token}`, { password: 'Louder-Otter-43' })
    },
    answer: said(TOAST.passwordReset),
  },
  {
    call: 'GET /api/auth/verify-email/{token}',
    send: async () => visitor().call(`/api/auth/verify-email/${await mailedLink('verify-email')}`),
    answer: said(TOAST.emailVerified),
  },
  {
    call: 'GET /api/subscription/plan-amounts?currency={currency}',
    send: () => visitor().call('/api/subscription/plan-amounts?currency=INR'),
    answer: { success: true, planAmounts: { pro: 2_999 } },
  },
  {
    call: 'GET /api/subscription/plans?currency=...',
    send: () => visitor().call('/api/subscription/plans?currency=INR'),
    answer: { success: true, plans: { pro: { id: 'pro', name: 'Pro', price: 2_999 } } },
  },
  {
    call: 'GET /api/subscription/plans-with-pricing?currency={USD or INR}',
    send: () => visitor().call('/api/subscription/plans-with-pricing?currency=INR'),
    answer: {
      success: true,
      plans: expect.arrayContaining([
        expect.objectContaining({ id: 'pro', name: 'Pro', price: 2_999, currency: 'INR' }),
      ]),
      tokenPack: { price: 2_199, currency: 'INR', tokens: 1_000_000 },
    },
  },
  {
    call: 'GET /api/subscription/current',
    send: async () => (await buyer()).call('/api/subscription/current'),
    answer: {
      success: true,
      subscription: { status: 'active' },
      tokens: { used: 0, total: 1_000_000 },
    },
  },
  {
    call: 'POST /api/subscription/cancel',
    send: async () => post(await buyer(), '/api/subscription/cancel'),
    answer: said(TOAST.cancelled),
  },
  {
    call: 'POST /api/subscription/reactivate',
    send: async () => {
      const owner = await buyer()
      await post(owner, '/api/subscription/cancel')
      return post(owner, '/api/subscription/reactivate')
    },
    answer: said(TOAST.reactivated),
  },
  {
    call: 'POST /api/subscription/use-tokens',
    fields: 'amount',
    send: async () => post(await buyer(), '/api/subscription/use-tokens', { amount: 7 }),
    answer: { success: true, used: 7, tokens: { used: 7, total: 1_000_000 } },
  },
  {
    call: 'POST /api/payment/create-subscription',
    fields: 'planType, preferredCurrency',
    send: async () => {
      const body = { planType: 'pro', preferredCurrency: 'INR' }
      return post(await createMember(), '/api/payment/create-subscription', body)
    },
    answer: {
      success: true,
      subscription: { id: text, planName: 'Pro', razorpayKeyId: text, ...order(299_900) },
    },
  },
  {
    call: 'POST /api/payment/create-order',
    fields: 'planType, amount, preferredCurrency',
    send: async () => post(await createMember(), '/api/payment/create-order', ORDER),
    answer: { success: true, upiEnabled: true, ...order(299_900) },
  },
  {
    call: 'POST /api/payment/create-payment-link',
    fields: 'planType, amount, description, preferredCurrency',
    send: async () => {
      const body = { ...ORDER, description: 'Pro for me' }
      return post(await createMember(), '/api/payment/create-payment-link', body)
    },
    answer: { success: true, paymentLink: { url: text, amount: 299_900, currency: 'INR' } },
  },
  {
    call: 'POST /api/payment/verify-payment',
    fields: 'orderId, paymentId, signature, planType',
    send: async () => {
      const member = await createMember()
      const triple = await paid(member, '/api/payment/create-order', ORDER)
      return post(member, '/api/payment/verify-payment', { ...triple, planType: 'pro' })
    },
    answer: verified,
  },
  {
    call: 'GET /api/payment/status/{id}',
    send: async () => {
      const member = await createMember()
      const { orderId } = await paid(member, '/api/payment/create-order', ORDER)
      return member.call(`/api/payment/status/${orderId}`)
    },
    answer: { success: true, payment: { amount: 299_900, currency: 'INR' } },
  },
  {
    call: 'POST /api/payment/create-token-order',
    fields: 'currency',
    send: async () => post(await buyer(), '/api/payment/create-token-order', { currency: 'INR' }),
    answer: { success: true, upiEnabled: true, ...order(219_900) },
  },
  {
    call: 'POST /api/payment/activate-token-purchase',
    fields: 'orderId, paymentId, signature',
    send: async () => {
      const owner = await buyer()
      const body = await paid(owner, '/api/payment/create-token-order', { currency: 'USD' })
      return post(owner, '/api/payment/activate-token-purchase', body)
    },
    answer: said(PURCHASE.tokensPurchased),
  },
  {
    call: 'POST /api/payment/activate-subscription-immediate',
    send: async () => {
      const member = await createMember()
      await paid(member, '/api/payment/create-order', ORDER)
      return post(member, '/api/payment/activate-subscription-immediate')
    },
    answer: verified,
  },
  {
    call: 'POST /api/payment/activate-order-public',
    fields: 'orderId, paymentId, signature',
    send: async () => {
      const body = await paid(await createMember(), '/api/payment/create-order', ORDER)
      return post(visitor(), '/api/payment/activate-order-public', body)
    },
    answer: verified,
  },
  {
    call: 'POST /api/support/submit',
    fields: 'email, severity, isFeatureRequest, query',
    send: () => {
      const email = `${randomUUID()}@example.test`
      const body = { email, severity: 'high', isFeatureRequest: true, query: 'Hello' }
      return post(visitor(), '/api/support/submit', body)
    },
    answer: said(TOAST.ticketSent),
  },
  {
    call: 'POST /api/careers/apply',
    fields:
      'fullName, email, phone, linkedinUrl, githubUrl, resumeUrl, currentLocation, workingCountry, workAuthorization, remotePreference, experience, whyJoin, jobId',
    send: () => post(visitor(), '/api/careers/apply', APPLICATION),
    answer: said(CAREERS.success),
  },
]

test.each(CALLS)('$call is sent and answered as specified', async ({ send, answer }) => {
  const { status, body } = await send()
  expect({ status, body }).toMatchObject({ status: 200, body: answer })
})

const withFields = CALLS.flatMap(({ call, fields }) => (fields ? [{ call, fields }] : []))

test.each(withFields)('$call reads $fields', async ({ call, fields }) => {
  const names = fields.split(', ')
  const [, path = ''] = call.split(' ')
  const json = Object.fromEntries(names.map((name) => [name, { not: 'this' }]))
  const { status, errors = [] } = bad(await post(await buyer(), path, json))
  expect(status).toBe(400)
  expect([...new Set(errors.map((error) => error.path))].toSorted()).toEqual(names.toSorted())
})
