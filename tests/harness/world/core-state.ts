import type { Plan, State } from '../../../edge-api/domain/purchase/core.ts'
import type { PaymentFact, RefundOrDispute } from '../../../edge-api/domain/ports/payments.ts'
import { minutes } from '../../../edge-api/domain/time.ts'

interface Sold {
  kind?: 'plan' | 'token_pack'
  currency?: 'USD' | 'INR'
  amountMinor?: number
  createdAt?: number
  hasLink?: boolean
  plans?: readonly Plan[]
}

/** The state of a purchase that nobody paid yet, with the order `order_1` and perhaps the link `plink_1`. */
export function unpaidState({
  kind = 'plan',
  currency = 'INR',
  amountMinor = 299_900,
  createdAt = 0,
  hasLink = false,
  plans = [],
}: Sold = {}): State {
  return {
    purchase: {
      id: 'pur_1',
      userId: 'usr_1',
      sku: kind === 'plan' ? 'pro' : 'token_pack',
      kind,
      tokens: 1_000_000,
      accessDays: kind === 'plan' ? 365 : 0,
      extraDays: 0,
      amountMinor,
      currency,
      paymentMode: 'emulator',
      channel: 'checkout',
      billing: null,
      country: null,
      termsVersion: '',
      createdAt,
      status: 'open',
      razorpayOrderId: 'order_1',
      razorpayLinkId: hasLink ? 'plink_1' : null,
      razorpayLinkOrderId: null,
      linkUrl: null,
      linkExpiresAt: null,
      provenAt: null,
      paidAt: null,
      reversedAt: null,
      cancelledAt: null,
      updatedAt: createdAt,
      nextCheckAt: createdAt + minutes(1),
      checkCount: 0,
    },
    buyer: { isDeleted: false, name: 'Ada', email: 'ada@example.test', plans },
    payments: [],
    refunds: [],
    disputes: [],
    pendingRefunds: [],
    grant: null,
    receipt: null,
    creditNotes: [],
  }
}

/** A captured payment on the order of `unpaidState`. */
export function paymentFact(parts: Partial<PaymentFact> = {}): PaymentFact {
  return {
    paymentId: 'pay_1',
    razorpayOrderId: 'order_1',
    amountMinor: 299_900,
    currency: 'INR',
    status: 'captured',
    amountRefundedMinor: 0,
    method: null,
    isInternational: null,
    errorReason: null,
    payerEmail: null,
    beganAt: 1,
    ...parts,
  }
}

/** A completed refund of `paymentFact`. */
export function refundFact(parts: Partial<RefundOrDispute> = {}): RefundOrDispute {
  return {
    id: 'rfnd_1',
    kind: 'refund',
    paymentId: 'pay_1',
    amountMinor: 299_900,
    currency: 'INR',
    state: 'final',
    phase: null,
    respondBy: null,
    beganAt: 2,
    asOf: 2,
    reason: null,
    ...parts,
  }
}

/** The sum of the amounts, in minor units. */
export const sumOf = (list: readonly { amountMinor: number }[]) =>
  list.reduce((total, { amountMinor }) => total + amountMinor, 0)
