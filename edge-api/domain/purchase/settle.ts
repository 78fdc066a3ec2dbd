import type { BatchItem } from 'drizzle-orm/batch'
import type { Context } from '../context.ts'
import { formatMoney } from '../format-money.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import type { Facts } from '../ports/payments.ts'
import { toIso } from '../time.ts'
import { cancelLink } from './cancel-links.ts'
import type { Purchase } from './find-purchase.ts'
import {
  followOwedRefunds,
  oweRefunds,
  parseSettled,
  projectStatus,
  readSettled,
  scheduleCheck,
  type SettledRow,
} from './settling/follow-money.ts'
import { cancelCreditNotes, issueCreditNotes, issueReceipt } from './settling/issue-receipts.ts'
import {
  enterGrant,
  grantOnce,
  restoreTokens,
  reverseTokens,
  storeShortfall,
} from './settling/move-tokens.ts'
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

interface Settled {
  status: Purchase['status']
  /** True for the one call that granted the tokens. */
  isNewlyPaid: boolean
}

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
): Promise<Settled> {
  const { id } = purchase
  // The order matters: facts first, tokens are granted before they are reversed, and the status comes after all money.
  const { granted, disputeMails, rows } = await ctx.db.batch({
    order: bindOrder(ctx, id, facts),
    linkOrder: bindLinkOrder(ctx, id, facts),
    payments: storePayments(ctx, id, facts),
    conflicts: markConflicts(ctx, id, facts),
    refundsAndDisputes: storeRefundsAndDisputes(ctx, id, facts),
    granted: grantOnce(ctx, id),
    grantEntry: enterGrant(ctx, id),
    receipt: issueReceipt(ctx, purchase),
    reversal: reverseTokens(ctx, id),
    restoration: restoreTokens(ctx, id),
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
    rows: readSettled(ctx, id),
  })
  const settled = parseSettled(rows)
  const isNewlyPaid = granted.length > 0
  alertOperator(ctx, purchase, settled)
  // The mail exists once for each step of a dispute, so its alert does too.
  if (disputeMails.length > 0) alertOfDisputes(ctx, purchase, settled)
  followUp(ctx, settled, isNewlyPaid)
  return { status: settled.status, isNewlyPaid }
}

function alertOperator({ log }: Context, { id }: Purchase, settled: SettledRow): void {
  for (const { paymentId, reason, amountMinor, currency } of settled.owed) {
    const amount = formatMoney(amountMinor, currency)
    log.alert('captured money is owed back', { purchaseId: id, paymentId, amount, reason })
  }
  for (const { refundId, paymentId, amountMinor, currency } of settled.failed) {
    const amount = formatMoney(amountMinor, currency)
    log.alert('a refund came back', { purchaseId: id, paymentId, refundId, amount })
  }
  for (const paymentId of settled.conflicts) {
    log.alert('a payment contradicts itself', { purchaseId: id, paymentId })
  }
}

function alertOfDisputes({ log }: Context, { id }: Purchase, { disputes }: SettledRow): void {
  for (const { amountMinor, currency, respondBy, ...dispute } of disputes) {
    log.alert('a payment is disputed', {
      purchaseId: id,
      ...dispute,
      amount: formatMoney(amountMinor, currency),
      respondBy: respondBy === null ? null : toIso(respondBy),
    })
  }
}

/** After the answer: sends the mail, and cancels the link so that the same purchase is not paid twice. */
function followUp(ctx: Context, { linkId, hasMail }: SettledRow, isNewlyPaid: boolean): void {
  if (hasMail) ctx.waitUntil(() => deliverDueMail(ctx))
  if (isNewlyPaid && linkId !== null) ctx.waitUntil(() => cancelLink(ctx, linkId))
}
