import { and, eq, gt, notInArray } from 'drizzle-orm'
import { ORDER_DAYS } from '../../../src/contract/limits.ts'
import { PURCHASE_REFUSED } from '../../../src/contract/messages.ts'
import type { createPaymentLinkEndpoint } from '../../../src/contract/purchase.ts'
import { purchases } from '../../db/schema/purchases.ts'
import type { Account } from '../session/account-query.ts'
import type { Context } from '../context.ts'
import type { SessionHandler } from '../handler.ts'
import { ApiError } from '../api-error.ts'
import { days, hours, minutes, toIso } from '../time.ts'
import { cancelLink, withProvider } from './ask-razorpay.ts'
import {
  CAPTURED,
  ofThisMode,
  type Purchase,
  receiptLine,
  requestedPlan,
  saleNotes,
} from './purchase.ts'
import { openPurchase } from './open-purchase.ts'

const LINK_LASTS_MS = hours(24)
/** Razorpay makes no link that ends within 15 minutes. */
const LINK_LASTS_MIN_MS = minutes(16)

/**
 * Creates a payment page at Razorpay, for the same purchase as an open order if there is one. Both can then be paid; a
 * second payment is refunded. A link ends before the order is too old to be paid; one that has ended is not handed out.
 */
export const createPaymentLink: SessionHandler<typeof createPaymentLinkEndpoint> = async (
  ctx,
  { claims, body, idempotencyKey },
) => {
  const request = { claims, idempotencyKey, ...requestedPlan(body), channel: 'link' as const }
  const purchase = await openPurchase(ctx, request, (opened, account) =>
    withLink(ctx, opened, noteOf(account, body.description)),
  )
  assertNotEnding(ctx, purchase.linkExpiresAt)
  return {
    success: true,
    paymentLink: {
      id: purchase.razorpayLinkId,
      purchaseId: purchase.id,
      url: purchase.linkUrl,
      amount: purchase.amountMinor,
      currency: purchase.currency,
      expiresAt: toIso(purchase.linkExpiresAt),
    },
  }
}

/** The page is the seller's own, so it says what is bought, and whose words follow: those of a verified account. */
function noteOf({ user }: Account, description: string | undefined): string {
  if (description === undefined || user.emailVerifiedAt === null) return ''
  return ` (buyer's note: ${description})`
}

type Linked = Purchase & { razorpayLinkId: string; linkUrl: string; linkExpiresAt: number }

const hasLink = (purchase: Purchase): purchase is Linked =>
  purchase.razorpayLinkId !== null && purchase.linkUrl !== null && purchase.linkExpiresAt !== null

async function withLink(ctx: Context, purchase: Purchase, note: string): Promise<Linked> {
  if (hasLink(purchase)) return purchase
  const { id: purchaseId, amountMinor, currency, createdAt } = purchase
  const expiresAt = Math.min(ctx.now + LINK_LASTS_MS, createdAt + days(ORDER_DAYS))
  assertNotEnding(ctx, expiresAt)
  const link = await withProvider(ctx, () =>
    ctx.payments.createLink({
      purchaseId,
      amountMinor,
      currency,
      description: receiptLine(ctx, purchase) + note,
      callbackUrl: `${ctx.origin}/api/payment/link-callback`,
      expiresAt,
      notes: saleNotes(purchase),
    }),
  )
  // One that an earlier call made, and did not store, may have ended.
  assertNotEnding(ctx, link.expiresAt)
  const { linkId: razorpayLinkId, url: linkUrl, expiresAt: linkExpiresAt } = link
  return { ...purchase, razorpayLinkId, linkUrl, linkExpiresAt }
}

function assertNotEnding({ now }: Context, expiresAt: number): void {
  if (expiresAt >= now + LINK_LASTS_MIN_MS) return
  throw new ApiError('IDEMPOTENCY_KEY_REUSED', PURCHASE_REFUSED.keyOld)
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
          notInArray(purchases.status, CAPTURED),
          ofThisMode(ctx),
        ),
      ),
  ])
  for (const { linkId } of links) if (linkId !== null) await cancelLink(ctx, linkId)
}
