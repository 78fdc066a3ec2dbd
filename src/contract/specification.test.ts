import { expect, test } from 'vitest'
import { exampleOf } from '../../site/openapi/examples.ts'
import { ENDPOINTS } from './endpoints.ts'

// Every call of the specification with its body and answer, typed from the specification: a path or a field that changes in
// the contract fails here. tests/api/round-trips.test.ts sends each call, and messages.test.ts has the sentences.

const text = expect.any(String)
const number = expect.any(Number)
const said = { success: true, message: text }
const signedIn = { ...said, token: text, user: { username: text, email: text } }
const order = { order: { id: text, amount: number, currency: text } }
const pro = { id: 'pro', name: 'Pro', price: number }
const proof = 'orderId, paymentId, signature'
const APPLICATION =
  'fullName, email, phone, linkedinUrl, githubUrl, resumeUrl, currentLocation, workingCountry, workAuthorization, remotePreference, experience, whyJoin, jobId'
const me = {
  username: text,
  email: text,
  isEmailVerified: true,
  createdAt: text,
  phone: null,
  firstName: text,
  lastName: text,
  profile: { firstName: text, lastName: text, fullName: text, bio: null },
  subscription: { status: 'active', plan: 'pro', currentPeriodEnd: text },
  tokens: { used: number, total: number },
}

/** Method and path as the specification writes them, the fields of the body, and what it says about the answer. */
const CALLS: [string, string, object][] = [
  ['POST /api/auth/login', 'email, password', signedIn],
  ['POST /api/auth/register', 'username, email, password, confirmPassword', signedIn],
  ['GET /api/auth/me', '', { success: true, user: me }],
  ['POST /api/auth/logout', '', said],
  ['POST /api/auth/forgot-password', 'email', said],
  ['POST /api/auth/reset-password/{token}', 'password', said],
  ['GET /api/auth/verify-email/{token}', '', said],
  ['GET /api/subscription/plan-amounts', '', { success: true, planAmounts: { pro: number } }],
  ['GET /api/subscription/plans', '', { success: true, plans: { pro } }],
  [
    'GET /api/subscription/plans-with-pricing',
    '',
    {
      success: true,
      plans: expect.arrayContaining([expect.objectContaining({ ...pro, currency: text })]),
      tokenPack: { price: number, currency: text, tokens: number },
    },
  ],
  [
    'GET /api/subscription/current',
    '',
    { success: true, subscription: { status: text }, tokens: { used: number, total: number } },
  ],
  ['POST /api/subscription/cancel', '', said],
  ['POST /api/subscription/reactivate', '', said],
  [
    'POST /api/subscription/use-tokens',
    'amount',
    { success: true, used: number, tokens: { used: number, total: number } },
  ],
  [
    'POST /api/payment/create-subscription',
    'planType, preferredCurrency',
    { success: true, subscription: { id: text, planName: 'Pro', razorpayKeyId: text, ...order } },
  ],
  [
    'POST /api/payment/create-order',
    'planType, amount, preferredCurrency',
    { success: true, upiEnabled: false, ...order },
  ],
  [
    'POST /api/payment/create-payment-link',
    'planType, amount, description, preferredCurrency',
    { success: true, paymentLink: { url: text, amount: number, currency: text } },
  ],
  ['POST /api/payment/verify-payment', `${proof}, planType`, said],
  [
    'GET /api/payment/status/{id}',
    '',
    { success: true, payment: { amount: number, currency: text } },
  ],
  [
    'POST /api/payment/create-token-order',
    'currency',
    { success: true, upiEnabled: true, ...order },
  ],
  ['POST /api/payment/activate-token-purchase', proof, said],
  ['POST /api/payment/activate-subscription-immediate', '', said],
  ['POST /api/payment/activate-order-public', proof, said],
  ['POST /api/support/submit', 'email, severity, isFeatureRequest, query', said],
  ['POST /api/careers/apply', APPLICATION, said],
]

test.each(CALLS)('%s reads "%s" and answers as specified', (call, fields, answer) => {
  const endpoint = ENDPOINTS.find(({ method, path }) => `${method} ${path}` === call)
  if (endpoint === undefined) throw new Error('the contract has no such call')
  const { body = {}, success } = exampleOf(endpoint)
  const names = fields === '' ? [] : fields.split(', ')
  expect(Object.keys(Object(endpoint.body.parse(body)))).toEqual(expect.arrayContaining(names))
  expect(endpoint.success.parse(success)).toMatchObject(answer)
})
