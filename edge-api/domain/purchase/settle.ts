import type { BatchItem } from 'drizzle-orm/batch'
import type { Context } from '../context.ts'
import { formatMoney } from '../format-money.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import type { Facts } from '../ports/payments.ts'
import { toIsoOrNull } from '../time.ts'
import { cancelLink } from './cancel-links.ts'
import { type Purchase, requirePurchase } from './find-purchase.ts'
import {
  followOwedRefunds,
  oweRefunds,
  projectStatus,
  scheduleCheck,
} from './settling/follow-money.ts'
import { cancelCreditNotes, issueCreditNotes, issueReceipt } from './settling/issue-receipts.ts'
import { enterGrant, grantOnce, reverseTokens, storeShortfall } from './settling/move-tokens.ts'
import {
  mailCancelledNotes,
  mailDisputes,
  mailFailedRefunds,
  mailPayerOfDeleted,
  mailReceipt,
  mailRefunds,
  mailReviews,
  notifyPaid,
  notifyReversed,
} from './settling/notify.ts'
import {
  bindLinkOrder,
  bindOrder,
  markConflicts,
  storePayments,
  storeRefundsAndDisputes,
} from './settling/store-facts.ts'

/**
 * Stores facts and derives in one atomic batch everything that follows: grant, receipt, reversals, refunds, status.
 * Nothing else grants tokens. Facts may arrive in any order, any number of times and from any number of callers at once;
 * the same facts always make the same state. `also` is written in the same batch.
 */
export async function settle(
  ctx: Context,
  purchase: Purchase,
  facts: Facts,
  also: readonly BatchItem<'sqlite'>[] = [],
) {
  const { id } = purchase
  // The order matters: facts first, tokens are granted before they are reversed, and the status comes after all money.
  const settled = await ctx.db.batch({
    order: bindOrder(ctx, id, facts),
    linkOrder: bindLinkOrder(ctx, id, facts),
    payments: storePayments(ctx, id, facts),
    conflicts: markConflicts(ctx, id, facts),
    refundsAndDisputes: storeRefundsAndDisputes(ctx, id, facts),
    granted: grantOnce(ctx, id),
    grantEntry: enterGrant(ctx, id),
    receipt: issueReceipt(ctx, purchase),
    reversal: reverseTokens(ctx, id),
    shortfall: storeShortfall(ctx, id),
    cancellations: cancelCreditNotes(ctx, id),
    creditNotes: issueCreditNotes(ctx, id),
    owed: oweRefunds(ctx, id),
    owedDone: followOwedRefunds(ctx, id),
    status: projectStatus(ctx, id),
    nextCheck: scheduleCheck(ctx, purchase),
    notices: [notifyPaid(ctx, purchase), notifyReversed(ctx, purchase)],
    mails: [
      mailReceipt(ctx, purchase),
      mailRefunds(ctx, purchase),
      mailFailedRefunds(ctx, purchase),
      mailCancelledNotes(ctx, purchase),
      mailReviews(ctx, purchase),
      mailPayerOfDeleted(ctx, purchase, facts),
    ],
    disputeMails: mailDisputes(ctx, purchase),
    also,
  })
  const { status, razorpayLinkId } = requirePurchase(settled.status)
  // True for the one call that granted the tokens.
  const isNewlyPaid = settled.granted.length > 0
  alertOperator(ctx, id, settled)
  // After the answer: sends the mail, and cancels the link so that the same purchase is not paid twice.
  if ([...settled.mails, settled.disputeMails].flat().length > 0) {
    ctx.waitUntil(() => deliverDueMail(ctx))
  }
  if (isNewlyPaid && razorpayLinkId !== null) ctx.waitUntil(() => cancelLink(ctx, razorpayLinkId))
  return { status, isNewlyPaid }
}

interface News {
  owed: Awaited<ReturnType<typeof oweRefunds>>
  conflicts: Awaited<ReturnType<typeof markConflicts>>
  refundsAndDisputes: Awaited<ReturnType<typeof storeRefundsAndDisputes>>
  disputeMails: unknown[]
}

function alertOperator({ log }: Context, purchaseId: string, news: News): void {
  for (const { paymentId, reason, ...money } of news.owed) {
    const amount = formatMoney(money.amountMinor, money.currency)
    log.alert('captured money is owed back', { purchaseId, paymentId, amount, reason })
  }
  for (const { kind, id, paymentId, state, phase, ...rest } of news.refundsAndDisputes) {
    const amount = formatMoney(rest.amountMinor, rest.currency)
    if (kind === 'refund' && state === 'undone') {
      log.alert('a refund came back', { purchaseId, paymentId, refundId: id, amount })
    }
    // The mail exists once for each step of a dispute, so its alert does too.
    if (kind === 'dispute' && news.disputeMails.length > 0) {
      const respondBy = toIsoOrNull(rest.respondBy)
      const dispute = { disputeId: id, paymentId, phase, state, amount, respondBy }
      log.alert('a payment is disputed', { purchaseId, ...dispute })
    }
  }
  // A fact of this purchase can contradict a payment of another.
  for (const conflict of news.conflicts) log.alert('a payment contradicts itself', { ...conflict })
}
