import { parseJson } from '../../../src/contract/parse-json.ts'
import { LinkProof, RazorpayPaymentId, CheckoutProof } from '../../../src/contract/purchase.ts'
import { cancelPage, successPage } from '../../../src/contract/return-pages.ts'
import type {
  checkoutCallbackEndpoint,
  paymentLinkCallbackEndpoint,
} from '../../../src/contract/webhook.ts'
import { z } from '../../../src/contract/zod.ts'
import type { Context } from '../context.ts'
import { confirmPublicly, isSigned, type PaymentProof } from './verify-payment.ts'

type Query = z.output<(typeof paymentLinkCallbackEndpoint)['query']>

/** The page for a browser that comes back from a payment link. Only the signature is trusted. */
export async function returnFromLink(ctx: Context, query: Query): Promise<string> {
  const parsed = LinkProof.safeParse({
    paymentLinkId: query.razorpay_payment_link_id,
    referenceId: query.razorpay_payment_link_reference_id,
    linkStatus: query.razorpay_payment_link_status,
    paymentId: query.razorpay_payment_id,
    signature: query.razorpay_signature,
  })
  if (!parsed.success) return cancelPage('verification_failed')
  const { referenceId, paymentId } = parsed.data
  const success = successPage({ subscriptionId: referenceId, paymentId })
  return pageFor(ctx, parsed.data, success)
}

/** A genuine signature proves the payment, so no failure after it may tell the buyer to pay again. The page asks for the status. */
async function pageFor(ctx: Context, body: PaymentProof, success: string): Promise<string> {
  let isGenuine = false
  try {
    isGenuine = await isSigned(ctx, body)
    const state = isGenuine ? await confirmPublicly(ctx, body) : null
    return state === null ? cancelPage('verification_failed') : success
  } catch (error) {
    ctx.log.error('the return from a payment failed', error)
    return isGenuine ? success : cancelPage('processing_error', { paymentId: body.paymentId })
  }
}

type Form = z.output<(typeof checkoutCallbackEndpoint)['body']>

const SHOWN_MAX = 300

/**
 * The page for a browser whose payment window posts its answer instead of calling our page
 * (docs/decisions/0046-the-checkout-posts-back-in-app-browsers.md). The form comes from another site, so without a
 * session, and only its signature is trusted. Tokens go to the user of the order.
 */
export async function returnFromCheckout(ctx: Context, form: Form): Promise<string> {
  const { data: proof } = CheckoutProof.safeParse({
    orderId: form.razorpay_order_id,
    paymentId: form.razorpay_payment_id,
    signature: form.razorpay_signature,
  })
  if (proof === undefined) return notPaidPage(form)
  return pageFor(ctx, proof, successPage(proof))
}

/** A declined payment sends its error in unsigned fields, which the page only shows. */
function notPaidPage(form: Form): string {
  const error = form['error[description]']?.slice(0, SHOWN_MAX)
  if (error === undefined) return cancelPage('verification_failed')
  const { data } = Metadata.safeParse(parseJson(form['error[metadata]'] ?? ''))
  return cancelPage('payment_not_captured', { paymentId: data?.payment_id, error })
}

const Metadata = z.object({ payment_id: RazorpayPaymentId })
