import type { BatchItem } from 'drizzle-orm/batch'
import type { Context } from '../context.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import { type Facts, GatewayRefused, GatewayUnavailable } from '../ports/payments.ts'
import type { Purchase } from './purchase-row.ts'
import { enterGrant, grantOnce, issueReceipt } from './settling/give-tokens.ts'
import { followOwedRefunds, oweRefunds } from './settling/owe-refunds.ts'
import { projectStatus, scheduleLook } from './settling/project-status.ts'
import { parseSettled, readSettled, type SettledRow } from './settling/read-settled.ts'
import {
  bindLinkOrder,
  bindOrder,
  markConflicts,
  storePayments,
  storeRefundsAndDisputes,
} from './settling/store-facts.ts'
import { noteShortfall, restoreTokens, reverseTokens } from './settling/take-tokens.ts'
import {
  mailReceipt,
  mailRefunds,
  mailReviews,
  mailReviewsToTeam,
  notifyPaid,
  notifyReversed,
} from './settling/notify.ts'

export interface Settled {
  status: Purchase['status']
  /** True in the one settling that gave the tokens. */
  isNewlyPaid: boolean
}

/**
 * The one way money becomes tokens, for every path: stores what is known and lets the database decide,
 * in one atomic batch, what follows from all that is known. Facts may come in any order, any number of
 * times, from any number of callers at once: the same facts make the same state.
 * `also` is written in the same batch.
 */
export async function settle(
  ctx: Context,
  purchase: Purchase,
  facts: Facts,
  also: readonly BatchItem<'sqlite'>[] = [],
): Promise<Settled> {
  const grant = grantOnce(ctx, purchase.id)
  const [first, ...rest] = [
    markConflicts(ctx, facts),
    ...storeFacts(ctx, purchase, facts),
    grant,
    ...drawConclusions(ctx, purchase),
    ...also,
  ] as const
  const statements = [first, ...rest, readSettled(ctx, purchase.id)] as const
  const results: readonly unknown[] = await ctx.db.batch(statements)
  const settled = parseSettled(results.at(-1))
  const isNewlyPaid = wroteARow(results[statements.indexOf(grant)])
  alertOperator(ctx, purchase, settled)
  followUp(ctx, settled, isNewlyPaid)
  return { status: settled.status, isNewlyPaid }
}

function storeFacts(ctx: Context, { id }: Purchase, facts: Facts): BatchItem<'sqlite'>[] {
  return [
    bindOrder(ctx, id, facts),
    bindLinkOrder(ctx, id, facts),
    storePayments(ctx, id, facts),
    storeRefundsAndDisputes(ctx, id, facts),
  ]
}

const wroteARow = (rows: unknown) => Array.isArray(rows) && rows.length > 0

/** After the grant. The order matters: tokens are given before they are taken back, and the status comes last. */
function drawConclusions(ctx: Context, purchase: Purchase): BatchItem<'sqlite'>[] {
  const { id } = purchase
  return [
    enterGrant(ctx, id),
    issueReceipt(ctx, id),
    reverseTokens(ctx, id),
    restoreTokens(ctx, id),
    noteShortfall(ctx, id),
    oweRefunds(ctx, id),
    followOwedRefunds(ctx, id),
    projectStatus(ctx, id),
    scheduleLook(ctx, purchase),
    notifyPaid(ctx, purchase),
    notifyReversed(ctx, purchase),
    mailReceipt(ctx, purchase),
    mailRefunds(ctx, purchase),
    mailReviews(ctx, purchase),
    mailReviewsToTeam(ctx, purchase),
  ]
}

function alertOperator(ctx: Context, { id }: Purchase, { owed, conflicts }: SettledRow): void {
  for (const { paymentId, reason } of owed) {
    ctx.log.alert('captured money is owed back', { purchaseId: id, paymentId, reason })
  }
  for (const paymentId of conflicts) {
    ctx.log.alert('a payment contradicts itself', { purchaseId: id, paymentId })
  }
}

/** After the answer: mail, and the second way to pay the same thing is shut. */
function followUp(ctx: Context, { linkId, hasMail }: SettledRow, isNewlyPaid: boolean): void {
  if (hasMail) ctx.waitUntil(() => deliverDueMail(ctx))
  if (!isNewlyPaid || linkId === null) return
  ctx.waitUntil(async () => {
    try {
      await ctx.payments.cancelLink(linkId)
    } catch (error) {
      // It was the link that was paid, or it is gone: what comes in twice is sent back anyway.
      if (!(error instanceof GatewayRefused || error instanceof GatewayUnavailable)) throw error
    }
  })
}
