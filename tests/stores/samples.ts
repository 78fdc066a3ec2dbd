import { exampleOf } from '../../site/openapi/examples.ts'
import { meEndpoint, Profile, User } from '../../src/contract/account.ts'
import {
  Checkout,
  createOrderEndpoint,
  type PurchaseView,
  paymentStatusEndpoint,
  type Settlement,
} from '../../src/contract/purchase.ts'
import { Session, sessionsEndpoint } from '../../src/contract/session.ts'
import { currentSubscriptionEndpoint } from '../../src/contract/subscription.ts'
import { statementEndpoint, StatementLine } from '../../src/contract/usage.ts'

const NEW_USER = {
  ...Object(exampleOf(meEndpoint).success).user,
  username: 'ada',
  email: 'ada@example.test',
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
  unreadNotices: 0,
}

/** A user as the server sends it. */
export function aUser(changes: Partial<User> = {}): User {
  return User.parse({ ...NEW_USER, ...changes })
}

/** What `me` answers. */
export function aMe(user: User = aUser()) {
  const { kind, expiresAt } = aSession()
  return { user, session: { kind, expiresAt } }
}

function aSession(): Session {
  return Session.parse(Object(exampleOf(sessionsEndpoint).success).sessions[0])
}

export const PURCHASE_ID = 'pur_01m7y70fee5paaq2f57vqxcv1k'
const ORDER_ID = 'order_EMUa1B2c3D4e5F'

/** The server's answer to an order. */
export function aCheckout(changes: Partial<Checkout> = {}): Checkout {
  return Checkout.parse({
    ...Object(exampleOf(createOrderEndpoint).success),
    purchaseId: PURCHASE_ID,
    order: { id: ORDER_ID, amount: 3_500, currency: 'USD' },
    mode: 'emulator',
    ...changes,
  })
}

/** The server's answer about the status of a purchase. */
export function aPayment(settlement: Settlement): PurchaseView {
  const { success } = paymentStatusEndpoint
  const { payment } = success.parse(exampleOf(paymentStatusEndpoint).success)
  const ids = { purchaseId: PURCHASE_ID, orderId: ORDER_ID }
  if (settlement === 'paid') return { ...payment, ...ids }
  return { ...payment, ...ids, settlement, status: 'open', paidAt: null }
}

/** An active plan, as the server tells it. */
export function aPlan() {
  const { success } = currentSubscriptionEndpoint
  return success.parse(exampleOf(currentSubscriptionEndpoint).success)
}

/** A month of tokens, with this line of one use of 1,200. */
export const STATEMENT = statementEndpoint.success.parse(exampleOf(statementEndpoint).success)

/** A line of a month: one use, but for these changes. */
export function aLine(changes: Partial<StatementLine>): StatementLine {
  return { ...StatementLine.parse(STATEMENT.lines[0]), count: 1, ...changes }
}
