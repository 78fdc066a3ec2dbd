/** What is known of a payment at Razorpay. Amounts in minor units. */
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
  errorReason: string | null
}

/** What is known of a refund or a dispute of a payment. */
export interface TakebackFact {
  id: string
  kind: 'refund' | 'dispute'
  paymentId: string
  amountMinor: number
  /** `undone`: the refund failed, the dispute was won. */
  state: 'open' | 'final' | 'undone'
}

/** An order that carries a purchase's id as its receipt, which only our key can have written. */
export interface OrderFact {
  razorpayOrderId: string
  purchaseId: string
}

/** The order behind a payment link. */
export interface LinkOrderFact {
  linkId: string
  razorpayOrderId: string
}

/** What somebody trustworthy told of the world: a signed webhook, or Razorpay when asked by name. */
export interface Facts {
  orders: OrderFact[]
  linkOrders: LinkOrderFact[]
  payments: PaymentFact[]
  takebacks: TakebackFact[]
}

/** Facts with only the given parts. */
export function factsOf(parts: Partial<Facts>): Facts {
  return { orders: [], linkOrders: [], payments: [], takebacks: [], ...parts }
}
