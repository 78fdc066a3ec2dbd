import { RazorpayPaymentId, Triple } from '../../../src/contract/purchase.ts'
import { cancelPage, successPage } from '../../../src/contract/return-pages.ts'
import type { checkoutCallbackEndpoint } from '../../../src/contract/webhook.ts'
import { z } from '../../../src/contract/zod.ts'
import type { Context } from '../context.ts'
import { confirmPublicly } from './activate-order-public.ts'

type Form = z.output<(typeof checkoutCallbackEndpoint)['body']>

const SHOWN_MAX = 300

/**
 * Where the browser goes on after the payment window, where that posts its answer instead of telling our page
 * (docs/decisions/0046-the-checkout-posts-back-in-app-browsers.md). The form crosses from another site: no
 * session comes along, and nothing but the signature is believed. The tokens go to the stored owner of the order.
 */
export async function returnFromCheckout(ctx: Context, form: Form): Promise<string> {
  const { data: triple } = Triple.safeParse({
    orderId: form.razorpay_order_id,
    paymentId: form.razorpay_payment_id,
    signature: form.razorpay_signature,
  })
  if (triple === undefined) return notPaidPage(form)
  const { paymentId } = triple
  try {
    if ((await confirmPublicly(ctx, triple)) === null) return cancelPage('verification_failed')
    return successPage(triple)
  } catch (error) {
    ctx.log.error('the return of a checkout failed', error)
    return cancelPage('processing_error', { paymentId })
  }
}

/** A declined payment says so in unsigned fields: they reach the page that explains, and nothing else. */
function notPaidPage(form: Form): string {
  const error = form['error[description]']?.slice(0, SHOWN_MAX)
  if (error === undefined) return cancelPage('verification_failed')
  return cancelPage('payment_not_captured', {
    paymentId: paymentIdIn(form['error[metadata]']),
    error,
  })
}

const Metadata = z.object({ payment_id: RazorpayPaymentId })

function paymentIdIn(metadata = ''): string | undefined {
  try {
    return Metadata.safeParse(JSON.parse(metadata)).data?.payment_id
  } catch {
    // No JSON: then the page does without the id.
    return undefined
  }
}
