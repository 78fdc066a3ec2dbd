import type { Currency } from '../../../src/contract/catalogue.ts'

/** What is known of a payment at Razorpay. Amounts in minor units. */
export interface PaymentFact {
  paymentId: string
  razorpayOrderId: string
  amountMinor: number
  currency: string
  status: 'created' | 'failed' | 'authorized' | 'captured'
  /** Cumulative, as Razorpay counts it. */
  amountRefundedMinor: number
  method: string | null
  errorReason: string | null
}

/** What is known of a refund or a dispute of a payment. */
export interface TakebackFact {
  id: string
  kind: 'refund' | 'dispute'
  paymentId: string
  amountMinor: number
  state: 'open' | 'final' | 'undone'
}

export interface OrderRequest {
  /** Our purchase id: Razorpay's `receipt`, by which a lost answer is found again. */
  purchaseId: string
  amountMinor: number
  currency: Currency
}

export interface LinkRequest extends OrderRequest {
  description: string
  callbackUrl: string
  expiresAt: number
  /** UPI is for INR alone. */
  upi: boolean
}

export interface PaymentLink {
  linkId: string
  url: string
  expiresAt: number
}

/**
 * The payment provider as the domain sees it. Every method that goes over the network throws
 * `GatewayUnavailable` when the outcome is unknown or the provider is down, and `GatewayRefused`
 * when it said no.
 */
export interface PaymentGateway {
  readonly keyId: string
  readonly checkoutScript: string
  /** The order's id. Sending the same purchase again finds the same order. */
  createOrder(request: OrderRequest): Promise<string>
  findOrder(purchaseId: string): Promise<string | null>
  paymentsOfOrder(razorpayOrderId: string): Promise<PaymentFact[]>
  fetchPayment(paymentId: string): Promise<PaymentFact>
  capture(payment: {
    paymentId: string
    amountMinor: number
    currency: Currency
  }): Promise<PaymentFact>
  refund(request: { paymentId: string; amountMinor: number; key: string }): Promise<TakebackFact>
  createLink(request: LinkRequest): Promise<PaymentLink>
  findLink(purchaseId: string): Promise<PaymentLink | null>
  linkPayments(linkId: string): Promise<PaymentFact[]>
  cancelLink(linkId: string): Promise<void>
  isCheckoutSignature(parts: {
    razorpayOrderId: string
    paymentId: string
    signature: string
  }): Promise<boolean>
  isLinkSignature(parts: {
    linkId: string
    referenceId: string
    linkStatus: string
    paymentId: string
    signature: string
  }): Promise<boolean>
  /** HMAC over the raw bytes with any of the accepted webhook secrets. */
  isWebhookSignature(body: Uint8Array<ArrayBuffer>, signature: string): Promise<boolean>
}

/** Nothing was learned: the provider is down, too slow, or answered garbage. Safe to try again. */
export class GatewayUnavailable extends Error {
  override readonly name = 'GatewayUnavailable'
}

/** The provider understood and said no. `reason` is machine-readable. */
export class GatewayRefused extends Error {
  override readonly name = 'GatewayRefused'
  readonly reason: string

  constructor(reason: string, description: string) {
    super(description)
    this.reason = reason
  }
}
