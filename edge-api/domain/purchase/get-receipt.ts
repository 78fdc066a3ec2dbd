import { and, eq } from 'drizzle-orm'
import type { receiptEndpoint } from '../../../src/contract/receipt.ts'
import { PURCHASE } from '../../../src/contract/messages.ts'
import { grants, payments, purchases, receipts } from '../../db/schema/purchases.ts'
import { accountQuery, requireAccount } from '../account/account-query.ts'
import type { Context } from '../context.ts'
import { Refusal } from '../refusal.ts'
import { toIso } from '../time.ts'
import type { SessionVerb } from '../verb.ts'
import { ofThisMode } from './find-purchase.ts'
import { receiptNumber } from '../format-money.ts'
import { describeItem, itemOf } from './item.ts'
import { refundedOfGrant } from './list-purchases.ts'

/** The receipt as it was issued. Prices hold no tax; the one line is the total. */
export const getReceipt: SessionVerb<typeof receiptEndpoint> = async (ctx, { claims, params }) => {
  const [accounts, rows] = await ctx.db.batch([
    accountQuery(ctx, claims),
    selectReceipt(ctx, claims.userId, params.purchaseId),
  ])
  requireAccount(accounts)
  const [row] = rows
  if (row === undefined) throw new Refusal('NOT_FOUND', PURCHASE.notFound)
  const { receipt, purchase, payment } = row
  return {
    success: true,
    receipt: {
      number: receiptNumber(receipt.number),
      purchaseId: purchase.id,
      issuedAt: toIso(receipt.issuedAt),
      seller: { name: ctx.brand.legalEntity, email: ctx.brand.supportEmail },
      buyer: { name: receipt.buyerName, email: receipt.buyerEmail },
      lines: [
        {
          description: describeItem(ctx, itemOf(purchase)),
          quantity: 1,
          amount: purchase.amountMinor,
        },
      ],
      tax: 0,
      total: purchase.amountMinor,
      currency: purchase.currency,
      paymentId: payment.id,
      method: payment.method,
      amountRefunded: row.amountRefunded,
    },
  }
}

function selectReceipt(ctx: Context, userId: string, purchaseId: string) {
  return ctx.db
    .select({
      receipt: receipts,
      purchase: purchases,
      payment: payments,
      amountRefunded: refundedOfGrant(),
    })
    .from(receipts)
    .innerJoin(purchases, eq(purchases.id, receipts.purchaseId))
    .innerJoin(grants, eq(grants.purchaseId, purchases.id))
    .innerJoin(payments, eq(payments.id, grants.paymentId))
    .where(and(eq(purchases.id, purchaseId), eq(purchases.userId, userId), ofThisMode(ctx)))
}
