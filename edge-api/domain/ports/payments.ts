import type { Currency } from '../../../src/contract/currency.ts'
import type { LinkProof, CheckoutProof } from '../../../src/contract/purchase.ts'

/** The Razorpay world that a row belongs to. Money of the emulator, test keys and live keys never mixes. */
export type PaymentMode = 'live' | 'test' | 'emulator'

/** A payment as Razorpay reports it. Amounts in minor units. */
export interface PaymentFact {
  paymentId: string
  razorpayOrderId: string
  amountMinor: number
  currency: string
  /** `captured` only when the money is ours; a payment sent back uncaptured is `authorized`, all refunded. */
  status: 'created' | 'failed' | 'authorized' | 'captured'
  /** Cumulative, as Razorpay counts it. */
  amountRefundedMinor: number
  method: string | null
  /** Whether the card is from outside India; null when Razorpay does not say. */
  isInternational: boolean | null
  errorReason: string | null
  /** The address that the payer gave Razorpay; null when none was given. */
  payerEmail: string | null
  /** When the buyer began it, milliseconds UTC; null when Razorpay does not say. */
  beganAt: number | null
}

/** A refund of a payment as Razorpay reports it. Amounts in minor units, instants in milliseconds UTC. */
export interface RefundFact {
  id: string
  kind: 'refund'
  paymentId: string
  amountMinor: number
  currency: string
  /** Razorpay's words: the money left us unless it `failed`. */
  state: 'pending' | 'processed' | 'failed'
  beganAt: number
  /** What `refund` wrote on it: the key under which we sent it. Null for what somebody else did. */
  reason: string | null
}

/** A dispute of a payment as Razorpay reports it. Amounts in minor units, instants in milliseconds UTC. */
export interface DisputeFact {
  id: string
  kind: 'dispute'
  paymentId: string
  amountMinor: number
  /** It may be another than that of the payment. */
  currency: string
  /**
   * `inquiry`: a bank asks, and the money stays with us. `open`: the bank holds the money. `lost`: the money is gone. `won`: it
   * stays with us, also when the bank closed the dispute, or when an inquiry was lost.
   */
  state: 'inquiry' | 'open' | 'lost' | 'won'
  /** In Razorpay's words. */
  phase: string
  /** The deadline for answering; null while a bank reviews the answer. */
  respondBy: number | null
  beganAt: number
  /** When this was true; null for an answer that Razorpay gives now. A later report replaces it. */
  asOf: number | null
}

/** An order that carries a purchase's id as its receipt, which only our key can have written. */
interface OrderFact {
  razorpayOrderId: string
  purchaseId: string
}

/** The order behind a payment link. */
interface LinkOrderFact {
  linkId: string
  razorpayOrderId: string
}

/** A report of Razorpay's, from a signed webhook or an answer to a request. */
export interface Facts {
  orders: OrderFact[]
  linkOrders: LinkOrderFact[]
  payments: PaymentFact[]
  refunds: RefundFact[]
  disputes: DisputeFact[]
}

/** Facts with the given parts and nothing else. */
export function factsOf(parts: Partial<Facts>): Facts {
  return { orders: [], linkOrders: [], payments: [], refunds: [], disputes: [], ...parts }
}

/** An order to be created. `notes` stay on it: pairs of texts of at most 256 characters. */
export interface NewOrder {
  /** Razorpay's `receipt`: sending it again finds the same order. */
  purchaseId: string
  amountMinor: number
  currency: Currency
  notes?: Readonly<Record<string, string>>
}

export interface LinkRequest extends NewOrder {
  description: string
  callbackUrl: string
  /** Milliseconds UTC, at least 15 minutes ahead. */
  expiresAt: number
}

export interface PaymentLink {
  linkId: string
  url: string
  expiresAt: number
}

/** The provider's list for a span of time. */
export interface Listed<Item> {
  items: Item[]
  /** False when one call could not list everything. */
  isWhole: boolean
}

/** A webhook that was read. `facts` is null when the body is unreadable or belongs to another payment mode. */
export interface ProviderEvent {
  name: string
  facts: Facts | null
}

/** `unauthorized`: it does not accept our keys. `unavailable`: it is down, too slow or unreadable. */
export interface ProviderAnswer {
  outcome: 'answered' | 'unauthorized' | 'unavailable'
  /** Milliseconds UTC. */
  at: number
}

/**
 * The payment provider. Every method that uses the network throws `GatewayUnavailable` when the provider is down or
 * the outcome is unknown, and `GatewayRejected` when the provider rejected the request. Without keys every method that
 * needs them throws `ApiError` NOT_CONFIGURED.
 */
export interface PaymentGateway {
  /** Empty while the provider is not configured: then nothing can be sold. */
  readonly keyId: string
  readonly checkoutScript: string
  /** How the provider last answered to this isolate; null before the first answer. */
  lastAnswer(): ProviderAnswer | null
  /** The order's id. Sending the same purchase again finds the same order. */
  createOrder(request: NewOrder): Promise<string>
  /** The receipt of an order, which is the id of its purchase; null when it has none. */
  fetchReceipt(razorpayOrderId: string): Promise<string | null>
  paymentsOfOrder(razorpayOrderId: string): Promise<PaymentFact[]>
  fetchPayment(paymentId: string): Promise<PaymentFact>
  /** Payments made between two instants (milliseconds UTC), newest first; for the audit. */
  paymentsBetween(from: number, to: number): Promise<Listed<PaymentFact>>
  /** Captures an authorized payment. Throws GatewayRejected unless it is captured then. */
  capture(payment: {
    paymentId: string
    amountMinor: number
    currency: Currency
  }): Promise<PaymentFact>
  refundsOfPayment(paymentId: string): Promise<RefundFact[]>
  /** Refunds made between two instants (milliseconds UTC), newest first; for the audit. */
  refundsBetween(from: number, to: number): Promise<Listed<RefundFact>>
  /** Disputes that began after an instant (milliseconds UTC), newest first; for the audit. */
  disputesSince(from: number): Promise<Listed<DisputeFact>>
  fetchDispute(disputeId: string): Promise<DisputeFact>
  /** The same key and amount give the same refund. The key has at least 10 of `[A-Za-z0-9_-]`. */
  refund(request: { paymentId: string; amountMinor: number; key: string }): Promise<RefundFact>
  createLink(request: LinkRequest): Promise<PaymentLink>
  linkPayments(linkId: string): Promise<PaymentFact[]>
  cancelLink(linkId: string): Promise<void>
  isCheckoutSignature(parts: CheckoutProof): Promise<boolean>
  isLinkSignature(parts: LinkProof): Promise<boolean>
  /** HMAC over the raw bytes with any of the accepted webhook secrets. */
  isWebhookSignature(body: Uint8Array<ArrayBuffer>, signature: string): Promise<boolean>
  /** Whatever the body contains: it is signed, but may be of any shape. */
  readEvent(body: string): ProviderEvent
}

/** The provider is down, too slow, or its answer is unreadable. The outcome is unknown. */
export class GatewayUnavailable extends Error {
  override readonly name = 'GatewayUnavailable'
}

/** The provider does not accept our keys: nothing can be sold until somebody sets others. */
export class GatewayUnauthorized extends GatewayUnavailable {}

/** The provider understood and rejected the request. `reason` is machine-readable. */
export class GatewayRejected extends Error {
  override readonly name = 'GatewayRejected'
  readonly reason: string

  constructor(reason: string, description: string) {
    super(description)
    this.reason = reason
  }
}
