import { and, eq, gt, isNull, notInArray, sql } from 'drizzle-orm'
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
import { nextCheckAfter } from './core.ts'
import {
  CAPTURED,
  hasCapturedMoney,
  ofThisMode,
  openedStatus,
  type Purchase,
  purchasesWhere,
  receiptLine,
  requestedPlan,
  requirePurchase,
  saleNotes,
} from './purchase.ts'
import { openPurchase, rejectIfOver } from './create-order.ts'
import { touchMoney } from './save.ts'

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
  const { purchase, account } = await openPurchase(ctx, request)
  const expiresAt =
    purchase.linkExpiresAt ??
    Math.min(ctx.now + LINK_LASTS_MS, purchase.createdAt + days(ORDER_DAYS))
  if (expiresAt < ctx.now + LINK_LASTS_MIN_MS) {
    throw new ApiError('IDEMPOTENCY_KEY_REUSED', PURCHASE_REFUSED.keyOld)
  }
  const stored =
    purchase.razorpayLinkId === null
      ? await addLink(ctx, purchase, { expiresAt, note: noteOf(account, body.description) })
      : purchase
  return {
    success: true,
    paymentLink: {
      id: stored.razorpayLinkId ?? '',
      purchaseId: stored.id,
      url: stored.linkUrl ?? '',
      amount: stored.amountMinor,
      currency: stored.currency,
      expiresAt: toIso(stored.linkExpiresAt ?? expiresAt),
    },
  }
}

/** The page is the seller's own, so it says what is bought, and whose words follow: those of a verified account. */
function noteOf({ user }: Account, description: string | undefined): string {
  if (description === undefined || user.emailVerifiedAt === null) return ''
  return ` (buyer's note: ${description})`
}

async function addLink(
  ctx: Context,
  purchase: Purchase,
  { expiresAt, note }: { expiresAt: number; note: string },
): Promise<Purchase> {
  const { id: purchaseId, amountMinor, currency } = purchase
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
  const { rows } = await ctx.db.batch({
    link: ctx.db
      .update(purchases)
      .set({
        razorpayLinkId: link.linkId,
        linkUrl: link.url,
        linkExpiresAt: link.expiresAt,
        status: openedStatus,
        updatedAt: ctx.now,
        // A purchase that was paid meanwhile is checked again for as long as the link can be paid.
        nextCheckAt: sql`coalesce(${purchases.nextCheckAt}, ${nextCheckAfter(ctx.now, purchase.createdAt)})`,
      })
      .where(and(eq(purchases.id, purchaseId), isNull(purchases.razorpayLinkId))),
    touched: touchMoney(ctx, purchase.userId),
    rows: purchasesWhere(ctx, eq(purchases.id, purchaseId)),
  })
  const stored = requirePurchase(rows)
  if (hasCapturedMoney(stored)) ctx.waitUntil(() => cancelLink(ctx, link.linkId))
  rejectIfOver(stored)
  return stored
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
