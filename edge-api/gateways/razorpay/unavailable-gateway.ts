import { PURCHASE } from '../../../src/contract/messages.ts'
import type { PaymentGateway } from '../../domain/ports/payments.ts'
import { Refusal } from '../../domain/refusal.ts'

function refusal(): Refusal {
  return new Refusal('NOT_CONFIGURED', PURCHASE.providerUnavailable, { retryAfterSeconds: 60 })
}

const refuse = () => Promise.reject(refusal())

/** Used while payments are misconfigured: nothing can be bought, everything else works. */
export const unavailableGateway: PaymentGateway = {
  keyId: '',
  checkoutScript: '',
  lastAnswer: () => null,
  createOrder: refuse,
  findOrder: refuse,
  fetchOrder: refuse,
  paymentsOfOrder: refuse,
  fetchPayment: refuse,
  paymentsBetween: refuse,
  capture: refuse,
  refundsOfPayment: refuse,
  refundsBetween: refuse,
  disputesSince: refuse,
  fetchRefund: refuse,
  fetchDispute: refuse,
  refund: refuse,
  createLink: refuse,
  linkOfPayment: refuse,
  linkPayments: refuse,
  cancelLink: refuse,
  isCheckoutSignature: refuse,
  isLinkSignature: refuse,
  isWebhookSignature: refuse,
  readEvent: () => {
    throw refusal()
  },
}
