import { PURCHASE, TOAST } from '../../../src/contract/messages.ts'
import type { activateOrderPublicEndpoint } from '../../../src/contract/purchase.ts'
import type { Context } from '../context.ts'
import type { PublicHandler } from '../handler.ts'
import { confirmPayment, isCaptured } from './confirm-payment.ts'
import { idOfLink, idOfOrder, type Purchase } from './find-purchase.ts'
import { stateStatements, statesOf } from './load.ts'

/** A browser's proof from Razorpay: ids and the signature over them. */
export type PublicProof = Parameters<PublicHandler<typeof activateOrderPublicEndpoint>>[1]['body']

/**
 * Confirms a payment for any visitor of the success page, signed in or not. Unknown orders, forged signatures and
 * missing money all get the same neutral answer. Tokens go to the user of the purchase, and nobody is signed in.
 */
export const activateOrderPublic: PublicHandler<typeof activateOrderPublicEndpoint> = async (
  ctx,
  { body },
) => {
  const status = await confirmPublicly(ctx, body)
  if (status === 'paid') return { success: true, message: TOAST.paymentVerified, status: 'paid' }
  return { success: true, message: PURCHASE.confirming, status: 'pending' }
}

/** The status after asking Razorpay; null when the signature proves nothing. */
export async function confirmPublicly(
  ctx: Context,
  body: PublicProof,
): Promise<Purchase['status'] | null> {
  const { paymentId } = body
  const id =
    'orderId' in body
      ? idOfOrder(ctx, body.orderId)
      : idOfLink(ctx, body.paymentLinkId, body.referenceId)
  const [loaded] = statesOf(await ctx.db.batch(stateStatements(ctx, id)))
  const isGenuine = await isSigned(ctx, body)
  if (loaded === undefined || !isGenuine) return null
  if (isCaptured(loaded, paymentId)) return loaded.state.purchase.status
  const linkId = 'orderId' in body ? null : body.paymentLinkId
  return (await confirmPayment(ctx, loaded, { paymentId, linkId })).status
}

/** Whether Razorpay signed these ids. */
export function isSigned({ payments }: Context, body: PublicProof): Promise<boolean> {
  return 'orderId' in body ? payments.isCheckoutSignature(body) : payments.isLinkSignature(body)
}
