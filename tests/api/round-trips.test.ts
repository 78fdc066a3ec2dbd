import { randomUUID } from 'node:crypto'
import { expect, inject, test } from 'vitest'
import { exampleOf } from '../../edge-api/http/openapi/examples.ts'
import {
  forgotPasswordEndpoint,
  resendVerificationEndpoint,
} from '../../src/contract/credential.ts'
import { authorizeDeviceEndpoint, confirmDeviceEndpoint } from '../../src/contract/device.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { ENDPOINTS } from '../../src/contract/endpoints.ts'
import { purchasesEndpoint } from '../../src/contract/receipt.ts'
import { cancelSubscriptionEndpoint } from '../../src/contract/subscription.ts'
import { ask, askGood, good } from '../harness/ask.ts'
import { createMember, type Member, type MemberOptions, signInAgain } from '../harness/member.ts'
import { mailedSecret } from '../harness/stored.ts'
import { TRIPS_OF_JOURNEYS } from '../harness/trips.ts'
import { newVisitor, type Visitor } from '../harness/visitor.ts'

interface Parts {
  params?: unknown
  query?: unknown
  body?: unknown
}

interface Row {
  /** Database round trips before the answer leaves. */
  trips: number
  /** Why it is more than one for a read or two for a write. */
  because?: string
  member?: MemberOptions
  /** What must be so before, and what is sent. */
  prepare?: (member: Member) => Promise<Parts>
}

const newcomer = () => {
  const username = `r_${randomUUID().slice(0, 20).replaceAll('-', '')}`
  const password = 'Quiet-Otter-42'
  const email = `${username}@example.test`
  return { username, email, password, confirmPassword: password }
}

const visitor = () => newVisitor(inject('siteUrl'))

/** Reads cost one round trip, writes at most two: the session is checked with the first. */
const TABLE: Record<string, Row> = {
  register: { trips: 1, prepare: () => Promise.resolve({ body: newcomer() }) },
  login: {
    trips: 2,
    prepare: ({ email, password }) => Promise.resolve({ body: { email, password } }),
  },
  logout: { trips: 1 },
  providers: { trips: 0 },
  me: { trips: 1 },
  updateProfile: { trips: 2 },
  updatePreferences: { trips: 2 },
  forgotPassword: { trips: 1, prepare: ({ email }) => Promise.resolve({ body: { email } }) },
  checkResetLink: {
    trips: 1,
    prepare: async ({ email }) => {
      await askGood(visitor(), forgotPasswordEndpoint, { body: { email } })
      return { params: { token: await mailedSecret(email, 'reset-password') } }
    },
  },
  resetPassword: {
    trips: 2,
    prepare: async ({ email }) => {
      await askGood(visitor(), forgotPasswordEndpoint, { body: { email } })
      const token = await mailedSecret(email, 'reset-password')
      return { params: { token }, body: { password: 'Louder-Otter-43' } }
    },
  },
  verifyEmail: {
    trips: 1,
    member: { isVerified: false },
    prepare: async (member) => {
      await askGood(member, resendVerificationEndpoint)
      return { params: { token: await mailedSecret(member.email, 'verify-email') } }
    },
  },
  resendVerification: { trips: 2, member: { isVerified: false } },
  changePassword: { trips: 2 },
  deleteAccount: { trips: 2 },
  sessions: { trips: 1 },
  endSession: {
    trips: 2,
    prepare: async (member) => ({ params: { id: (await signInAgain(member)).sessionId } }),
  },
  endOtherSessions: { trips: 2 },
  notices: { trips: 1 },
  readNotices: { trips: 2 },
  signInHistory: { trips: 1 },
  exportData: {
    trips: 2,
    because:
      'it notes that it was made, and asks for tickets once the address is known to be proven',
  },
  authorizeDevice: { trips: 1 },
  deviceToken: {
    trips: 2,
    prepare: async (member) => {
      const asked = await askGood(visitor(), authorizeDeviceEndpoint, { body: {} })
      const body = { userCode: asked.user_code, approve: true }
      await askGood(member, confirmDeviceEndpoint, { body })
      const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
      return { body: { grant_type, device_code: asked.device_code } }
    },
  },
  deviceRequest: {
    trips: 1,
    prepare: async () => {
      const asked = await askGood(visitor(), authorizeDeviceEndpoint, { body: {} })
      return { params: { userCode: asked.user_code } }
    },
  },
  confirmDevice: {
    trips: 2,
    prepare: async () => {
      const asked = await askGood(visitor(), authorizeDeviceEndpoint, { body: {} })
      return { body: { userCode: asked.user_code, approve: true } }
    },
  },
  planAmounts: { trips: 0 },
  plans: { trips: 0 },
  plansWithPricing: { trips: 0 },
  currentSubscription: { trips: 1 },
  cancelSubscription: { trips: 2, member: { hasPlan: true } },
  reactivateSubscription: {
    trips: 2,
    member: { hasPlan: true },
    prepare: async (member) => {
      await askGood(member, cancelSubscriptionEndpoint)
      return {}
    },
  },
  useTokens: { trips: 1, member: { tokens: 10_000 } },
  recordUsageSession: { trips: 2 },
  usage: { trips: 1 },
  ledger: { trips: 1 },
  createOrder: { trips: 2 },
  createSubscription: { trips: 2 },
  createTokenOrder: { trips: 2, member: { hasPlan: true } },
  createPaymentLink: { trips: 2 },
  purchases: { trips: 1 },
  paymentStatus: {
    trips: 1,
    member: { hasPlan: true },
    prepare: async (member) => ({ params: { id: await boughtBy(member) } }),
  },
  receipt: {
    trips: 1,
    member: { hasPlan: true },
    prepare: async (member) => ({ params: { purchaseId: await boughtBy(member) } }),
  },
  submitTicket: { trips: 1 },
  apply: { trips: 1 },
  live: { trips: 0 },
  health: { trips: 1 },
}

async function boughtBy(member: Member): Promise<string> {
  const { purchases } = await askGood(member, purchasesEndpoint)
  return purchases[0]?.purchaseId ?? ''
}

/** The rest stand in the table of journeys and are measured there. */
const own = ENDPOINTS.filter(({ id }) => !(id in TRIPS_OF_JOURNEYS))

async function send(endpoint: Endpoint, from: Visitor, parts: Parts) {
  const { params, query, body } = { ...exampleOf(endpoint), ...parts }
  return ask(from, endpoint, { params, query, body })
}

test.each(own)('$id succeeds, keeps to its contract and to its round trips', async (endpoint) => {
  const row = TABLE[endpoint.id]
  if (row === undefined) throw new Error(`${endpoint.id} has no row in the table`)
  const member = await createMember(row.member)
  const parts = (await row.prepare?.(member)) ?? {}
  const from = endpoint.access === 'session' ? member : visitor()
  const answer = await send(endpoint, from, parts)
  good(endpoint, answer)
  expect(answer.headers.get('Server-Timing')).toContain(`trips=${row.trips}"`)
})

/** Reads by their method that write: a browser comes back from elsewhere. */
const RETURNS = ['googleCallback', 'paymentLinkCallback']

test('reads cost at most one round trip and writes two, or say why not', () => {
  const table: Record<string, { trips: number; because?: string }> = {
    ...TABLE,
    ...Object.fromEntries(Object.entries(TRIPS_OF_JOURNEYS).map(([id, trips]) => [id, { trips }])),
  }
  const dear = ENDPOINTS.filter(({ id, method }) => {
    const { trips, because } = table[id] ?? { trips: 99 }
    const isRead = method === 'GET' && !RETURNS.includes(id)
    return trips > (isRead ? 1 : 2) && because === undefined
  })
  expect(dear.map(({ id }) => id)).toEqual([])
})
