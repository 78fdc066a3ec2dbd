import { type SQL, sql } from 'drizzle-orm'
import { DESK_ACT } from '../../../../src/contract/desk-acts.ts'
import { REFUND_MIN_MINOR } from '../../../../src/contract/refund.ts'
import type { Statements } from '../../../db/database.ts'
import type { Operator } from '../../account/require-operator.ts'
import type { Context } from '../../context.ts'
import { formatMoney, inFigures } from '../../format-money.ts'
import { type Purchase, purchaseById, requirePurchase } from '../../purchase/find-purchase.ts'
import { itemOf } from '../../purchase/item.ts'
import { oweAskedRefund, oweGoodwillRefund } from '../../purchase/owe-refund.ts'
import { payOwedRefunds } from '../../purchase/pay-owed-refunds.ts'
import { recordCause } from '../../purchase/record-cause.ts'
import { readRefund, type RefundRow, selectRefund } from '../../purchase/refund-quote.ts'
import { selectReversal } from '../../purchase/settling/move-tokens.ts'
import { type ActOf, hasChanged, targetQuery, type PlannedAct, refuse } from '../planned-act.ts'

type About = ActOf<'refund'>

/** The parts of a refund, once they are checked. */
interface Checked {
  purchase: Purchase
  row: RefundRow
  /** How the timeline names who did it. */
  cause: string
}

/**
 * Gives money of a purchase back. Without an amount it does what the buyer's own refund does, also when their 14 days are
 * over: the unused share goes back and a plan ends. A given amount is goodwill: it takes its share of the tokens, and the
 * plan ends when all of the payment went back. Both are debts of `owed_refunds`, which the job sends.
 */
export async function planRefund(
  ctx: Context,
  { userId, purchaseId, amountMinor }: About,
  operator: Operator,
): Promise<PlannedAct> {
  const { targets, found, rows, reversal } = await ctx.db.batch({
    targets: targetQuery(ctx, userId),
    found: purchaseById(ctx, userId, purchaseId),
    rows: selectRefund(ctx, userId, purchaseId),
    reversal: selectReversal(ctx, purchaseId, amountMinor ?? 0),
  })
  const purchase = requirePurchase(found)
  if (targets.length === 0) throw refuse(DESK_ACT.deleted)
  const row = readRefund(rows)
  if (row.paymentId === null) throw refuse(DESK_ACT.notPaid)
  if (row.isDisputed) throw refuse(DESK_ACT.disputed)
  const checked = { purchase, row, cause: `operator ${operator.username}` }
  return amountMinor === null
    ? byFormula(ctx, checked)
    : ofAmount(ctx, checked, { amountMinor, tokens: reversal[0]?.tokens ?? 0 })
}

function byFormula(ctx: Context, checked: Checked): PlannedAct {
  const { purchase, row } = checked
  const { kind, status, price, currency, tokens, unusedTokens, amountMinor, askedAt, hasPacks } =
    row
  if (askedAt !== null) throw refuse(DESK_ACT.askedBack)
  if (status === 'refunded') throw refuse(DESK_ACT.refunded)
  if (unusedTokens === null || unusedTokens === 0) throw refuse(DESK_ACT.nothingUnused)
  if (amountMinor === null || amountMinor < REFUND_MIN_MINOR) throw refuse(DESK_ACT.tooLittle)
  return {
    changes: [
      `${inFull(amountMinor, currency)} of ${itemOf(purchase).name} is refunded: ${formatMoney(price, currency)} × ${inFigures(unusedTokens)} unused tokens ÷ ${inFigures(tokens)}${isCapped(row) ? ', but no more than is left of the payment' : ''}.`,
      `The ${inFigures(unusedTokens)} unused tokens are removed now.`,
      ...(kind === 'plan' ? ['The plan ends now.'] : []),
      ...(hasPacks ? ['The customer keeps the tokens of packs that were bought with it.'] : []),
      'The customer gets an email now, and another when the money is sent.',
    ],
    subject: purchase.id,
    carryOut: owing(ctx, checked, oweAskedRefund(ctx, purchase, { row, when: sql`1` })),
  }
}

/** Whether less is left of the payment than the formula says. */
function isCapped({ price, tokens, unusedTokens, amountMinor }: RefundRow): boolean {
  return Math.round((price * (unusedTokens ?? 0)) / tokens) > (amountMinor ?? 0)
}

function ofAmount(
  ctx: Context,
  checked: Checked,
  { amountMinor, tokens }: { amountMinor: number; tokens: number },
): PlannedAct {
  const { purchase, row } = checked
  const { kind, price, currency, refundedBeforeMinor, isOwed } = row
  if (isOwed) throw refuse(DESK_ACT.isOwed)
  const left = price - (refundedBeforeMinor ?? 0)
  if (left <= 0) throw refuse(DESK_ACT.refunded)
  if (amountMinor > left) {
    throw refuse(`Only ${inFull(left, currency)} of this payment is left. Enter no more than that.`)
  }
  const isAll = amountMinor === left
  return {
    changes: [
      `${inFull(amountMinor, currency)} of ${itemOf(purchase).name} is refunded. The payment has ${formatMoney(left, currency)} left now, ${formatMoney(left - amountMinor, currency)} afterwards.`,
      tokens === 0
        ? 'No tokens are removed: none of its share is left.'
        : `${inFigures(tokens)} tokens are removed now: the share of this money, as far as it is left.`,
      ...(kind === 'plan'
        ? [isAll ? 'The plan ends once the money has been refunded.' : 'The plan continues.']
        : []),
      'The customer gets an email when the money is sent.',
    ],
    subject: purchase.id,
    carryOut: owing(ctx, checked, oweGoodwillRefund(ctx, purchase, { row, amountMinor })),
  }
}

/** Owes a refund and writes the entry if it is owed, in one batch. Then the refund is sent. */
function owing(
  ctx: Context,
  { purchase, cause }: Checked,
  { owe, isOwed, follow }: { owe: Statements; isOwed: SQL; follow: Statements },
): PlannedAct['carryOut'] {
  return async (entry) => {
    const { written } = await ctx.db.batch({
      ...owe,
      written: entry.write(isOwed),
      ...follow,
      cause: recordCause(ctx, purchase.id, cause, entry.isWritten),
    })
    if (written.length === 0) throw hasChanged()
    ctx.waitUntil(() => payOwedRefunds(ctx))
  }
}

const MINOR_NAMES = { USD: 'cents', INR: 'paise' } as const

/** `USD 20.00 (2,000 cents)`: so that nobody mistakes one for the other. */
function inFull(amountMinor: number, currency: 'USD' | 'INR'): string {
  return `${formatMoney(amountMinor, currency)} (${inFigures(amountMinor)} ${MINOR_NAMES[currency]})`
}
