import { Profile, User } from '../../../src/contract/account.ts'
import { Checkout, PaymentState, type Settlement } from '../../../src/contract/purchase.ts'
import type { Session } from '../../../src/contract/session.ts'

const NEW_USER = {
  id: 'usr_01k9zq3v7w8x9y0abcdefghjkm',
  username: 'ada',
  email: 'ada@example.test',
  isEmailVerified: true,
  createdAt: '2026-11-02T09:30:00.000Z',
  phone: null,
  firstName: null,
  lastName: null,
  profile: Object.fromEntries(Object.keys(Profile.shape).map((field) => [field, null])),
  subscription: {
    status: 'inactive',
    plan: null,
    currentPeriodEnd: null,
    cancelAtPeriodEnd: false,
    takenBackAt: null,
  },
  tokens: { used: 0, total: 0 },
  preferences: {
    theme: 'system',
    currency: 'USD',
    mailReminders: true,
  },
  mustAcceptTerms: false,
  billing: null,
  unreadNotices: 0,
} as const

/** A user as the server sends it. */
export function aUser(changes: Partial<User> = {}): User {
  return User.parse({ ...NEW_USER, ...changes })
}

/** What `me` answers. */
export function aMe(user: User = aUser()) {
  const { kind, expiresAt } = aSession()
  return { user, session: { kind, expiresAt } }
}

export function aSession(): Session {
  return {
    id: 'ses_01m7y70fee5paaq2f57vqxcv1k',
    kind: 'browser',
    device: 'Firefox on Linux',
    createdAt: '2026-11-01T00:00:00.000Z',
    lastUsedAt: '2026-11-01T00:00:00.000Z',
    expiresAt: '2026-12-01T00:00:00.000Z',
    isCurrent: true,
  }
}

export const PURCHASE_ID = 'pur_01m7y70fee5paaq2f57vqxcv1k'

/** The server's answer to an order. */
export function aCheckout(changes: Partial<Checkout> = {}): Checkout {
  return Checkout.parse({
    purchaseId: PURCHASE_ID,
    seller: { name: 'Sotto', color: '#14130f' },
    order: { id: 'order_EMUa1B2c3D4e5F', amount: 3_500, currency: 'USD' },
    upiEnabled: false,
    razorpayKeyId: 'rzp_test_EMUkey00000001',
    checkoutScript: 'http://localhost:8790/checkout/v1/checkout.js',
    mode: 'emulator',
    ...changes,
  })
}

/** The server's answer about the status of a purchase. */
export function aPayment(settlement: Settlement): PaymentState {
  return PaymentState.parse({
    purchaseId: PURCHASE_ID,
    orderId: 'order_EMUa1B2c3D4e5F',
    status: settlement === 'paid' ? 'paid' : 'open',
    settlement,
    item: 'Pro',
    sku: 'pro',
    amount: 3_500,
    currency: 'USD',
    tokens: 1_000_000,
    createdAt: '2026-11-21T10:00:00.000Z',
    paidAt: settlement === 'paid' ? '2026-11-21T10:01:00.000Z' : null,
  })
}
