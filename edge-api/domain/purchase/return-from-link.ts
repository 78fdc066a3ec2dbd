import { LinkReturn } from '../../../src/contract/purchase.ts'
import { cancelPage, successPage } from '../../../src/contract/return-pages.ts'
import type { paymentLinkCallbackEndpoint } from '../../../src/contract/webhook.ts'
import type { z } from '../../../src/contract/zod.ts'
import type { Context } from '../context.ts'
import { confirmPublicly } from './activate-order-public.ts'
import type { Purchase } from './purchase-row.ts'

type Query = z.output<(typeof paymentLinkCallbackEndpoint)['query']>

/**
 * Where the browser goes on after a payment link: the success page, which asks for the state itself,
 * or the cancel page with its reason. The signature is the only thing believed.
 */
export async function returnFromLink(ctx: Context, query: Query): Promise<string> {
  const parsed = LinkReturn.safeParse({
    paymentLinkId: query.razorpay_payment_link_id,
    referenceId: query.razorpay_payment_link_reference_id,
    linkStatus: query.razorpay_payment_link_status,
    paymentId: query.razorpay_payment_id,
    signature: query.razorpay_signature,
  })
  if (!parsed.success) return cancelPage('verification_failed')
  try {
    return pageFor(await confirmPublicly(ctx, parsed.data), parsed.data)
  } catch (error) {
    ctx.log.error('the return of a payment link failed', error)
    return cancelPage('processing_error', { paymentId: parsed.data.paymentId })
  }
}

function pageFor(
  status: Purchase['status'] | null,
  { referenceId, paymentId }: z.output<typeof LinkReturn>,
): string {
  if (status === null) return cancelPage('verification_failed')
  if (status === 'attempted') return cancelPage('payment_not_captured', { paymentId })
  return successPage({ subscriptionId: referenceId, paymentId })
}
