import { and, eq, gt, notInArray } from 'drizzle-orm'
import { purchases } from '../../db/schema/purchases.ts'
import type { Context } from '../context.ts'
import { GatewayRefused, GatewayUnavailable } from '../ports/payments.ts'
import { ofThisMode } from './find-purchase.ts'

/** Cancels a payment link, so that nobody pays it by mistake. Money that arrives all the same is owed back. */
export async function cancelLink(ctx: Context, linkId: string): Promise<void> {
  try {
    await ctx.payments.cancelLink(linkId)
  } catch (error) {
    // The link was paid or is gone, or Razorpay does not answer.
    if (!(error instanceof GatewayRefused || error instanceof GatewayUnavailable)) throw error
  }
}

/** Cancels every payment link of a user that could still be paid. */
export async function cancelLinksOf(ctx: Context, userId: string): Promise<void> {
  const [links] = await ctx.db.batch([
    ctx.db
      .select({ linkId: purchases.razorpayLinkId })
      .from(purchases)
      .where(
        and(
          eq(purchases.userId, userId),
          gt(purchases.linkExpiresAt, ctx.now),
          notInArray(purchases.status, ['paid', 'review', 'refunded']),
          ofThisMode(ctx),
        ),
      ),
  ])
  for (const { linkId } of links) if (linkId !== null) await cancelLink(ctx, linkId)
}
