import { and, desc, eq, sql } from 'drizzle-orm'
import { OUTSIDE_INDIA, PLACES } from '../../src/contract/billing.ts'
import {
  grants,
  pendingRefunds,
  payments,
  purchaseCauses,
  purchases,
  receipts,
  refundsAndDisputes,
} from '../db/schema/purchases.ts'
import { ledger } from '../db/schema/tokens.ts'
import type { Context } from '../domain/context.ts'
import { formatMoney, inFigures, receiptNumber } from '../domain/format-money.ts'
import { DISPUTE_STATES } from '../domain/mail/purchase-mails.ts'
import { billingOf } from '../domain/purchase/tax.ts'
import { inMinutes } from '../domain/time.ts'

// Everything that the customer's page reads about money.

/** The most rows of one table on a customer's page, the newest. */
export const ROWS_MAX = 100

/** An entry of the timeline. */
export interface Entry {
  /** Milliseconds UTC. */
  at: number
  about: string
  text: string
  purchaseId?: string | null
  /** What brought the news, when it was not the customer: `webhook evt_…`, `reconcile`. */
  cause?: string | null
  /** Whether somebody should look at it: a failure, a dispute, money that is owed. */
  isTrouble?: boolean
  /** The mail that can be sent again. */
  mailId?: string
}

/** The statements that read the money of an account, the newest rows of each table. */
export function moneyStatements({ db }: Context, userId: string) {
  const isOwn = eq(purchases.userId, userId)
  /** The part of the payment behind a grant that is neither returned nor owed back; null without a grant. */
  const leftMinor = sql<number | null>`(
    SELECT m.amount_minor - m.refunded_minor - m.lost_minor - m.pending_refund_minor
    FROM grants g JOIN payments m ON m.id = g.payment_id WHERE g.purchase_id = ${purchases.id})`
  const leftTokens = sql<
    number | null
  >`(SELECT o.left FROM lots o WHERE o.purchase_id = ${purchases.id})`
  return {
    purchases: db
      .select({ purchase: purchases, receipt: receipts, leftMinor, leftTokens })
      .from(purchases)
      .leftJoin(receipts, eq(receipts.purchaseId, purchases.id))
      .where(isOwn)
      // Money first: an unpaid order is soon made, and a page without a paid one offers no refund of it.
      .orderBy(
        sql`${purchases.status} IN ('creating', 'open', 'attempted', 'expired')`,
        desc(purchases.createdAt),
      )
      .limit(ROWS_MAX),
    payments: db
      .select({ payment: payments, grantedAt: grants.grantedAt })
      .from(purchases)
      .innerJoin(payments, eq(payments.purchaseId, purchases.id))
      .leftJoin(grants, eq(grants.paymentId, payments.id))
      .where(isOwn)
      .orderBy(desc(payments.createdAt))
      .limit(ROWS_MAX),
    pending: db
      .select({ owed: pendingRefunds, currency: payments.currency })
      .from(purchases)
      .innerJoin(pendingRefunds, eq(pendingRefunds.purchaseId, purchases.id))
      .innerJoin(payments, eq(payments.id, pendingRefunds.paymentId))
      .where(isOwn)
      .orderBy(desc(pendingRefunds.createdAt))
      .limit(ROWS_MAX),
    refundsAndDisputes: db
      .select({ row: refundsAndDisputes, purchaseId: payments.purchaseId })
      .from(purchases)
      .innerJoin(payments, eq(payments.purchaseId, purchases.id))
      .innerJoin(refundsAndDisputes, eq(refundsAndDisputes.paymentId, payments.id))
      .where(isOwn)
      .orderBy(desc(refundsAndDisputes.beganAt))
      .limit(ROWS_MAX),
    tokens: db
      .select()
      .from(ledger)
      // Spelled as in the index of the entries that are not uses.
      .where(and(eq(ledger.userId, userId), sql`${ledger.kind} <> 'use'`))
      .orderBy(desc(ledger.createdAt))
      .limit(ROWS_MAX),
    causes: db
      .select({ cause: purchaseCauses })
      .from(purchases)
      .innerJoin(purchaseCauses, eq(purchaseCauses.purchaseId, purchases.id))
      .where(isOwn)
      .orderBy(desc(purchaseCauses.createdAt))
      .limit(10 * ROWS_MAX),
  }
}

/** The purchase whose payment a dispute is about. */
export function purchaseOfDispute({ db }: Context, disputeId: string) {
  return db
    .select({ id: purchases.id, userId: purchases.userId })
    .from(refundsAndDisputes)
    .innerJoin(payments, eq(payments.id, refundsAndDisputes.paymentId))
    .innerJoin(purchases, eq(purchases.id, payments.purchaseId))
    .where(and(eq(refundsAndDisputes.id, disputeId), eq(refundsAndDisputes.kind, 'dispute')))
}

type Statements = ReturnType<typeof moneyStatements>
/** The rows that those statements find. */
export type MoneyRows = { [Name in keyof Statements]: Awaited<Statements[Name]> }
type Purchase = MoneyRows['purchases'][number]['purchase']

/** `asked_for` as words. */
export const inWords = (name: string) => name.replaceAll('_', ' ')
/** `2026-11-22 09:05 UTC` */
export const minuteOf = (at: number) => `${inMinutes(at)} UTC`

/** A purchase as the page shows it. */
export type PurchaseView = ReturnType<typeof toPurchaseView>

/** One purchase with its payments, its receipt and what to do about it. */
export function toPurchaseView(
  { purchase, receipt, leftMinor, leftTokens }: MoneyRows['purchases'][number],
  rows: MoneyRows,
) {
  const { id, sku, status, amountMinor, currency, tokens } = purchase
  const own = rows.refundsAndDisputes
    .filter(({ purchaseId }) => purchaseId === id)
    .map(({ row }) => row)
  const disputes = own.filter(({ kind }) => kind === 'dispute')
  const isDisputed = disputes.some(({ state }) => state === 'open' || state === 'inquiry')
  const moved = sum(
    rows.tokens.filter(
      (entry) => entry.purchaseId === id && /^re(versal|storation)$/.test(entry.kind),
    ),
  )
  const mismatch = rows.pending.some(
    ({ owed }) => owed.purchaseId === id && owed.reason === 'mismatch' && owed.doneAt === null,
  )
  return {
    id,
    title: `${inWords(sku)} · ${formatMoney(amountMinor, currency)}`,
    status: disputes.some(({ state }) => state === 'open') ? 'disputed' : status,
    toDo: mismatch
      ? 'The money that arrived does not match the order, and bought nothing. Refund it in Razorpay’s dashboard; the webhook closes the case.'
      : isDisputed
        ? 'The bank is disputing this payment. Print the evidence, and answer in Razorpay’s dashboard before the deadline.'
        : null,
    mayRefund: leftMinor !== null && leftMinor > 0 && !isDisputed,
    hasDispute: disputes.length > 0,
    payments: rows.payments.flatMap(({ payment }) => (payment.purchaseId === id ? [payment] : [])),
    facts: [
      ['Ordered', [minuteOf(purchase.createdAt), purchase.country].filter(Boolean).join(', from ')],
      [
        'Delivered',
        leftTokens === null ? 'nothing yet' : `${inFigures(tokens)} tokens, online, at once`,
      ],
      [
        'Tokens of it used',
        leftTokens === null
          ? null
          : `${inFigures(tokens + moved - leftTokens)} of ${inFigures(tokens)}`,
      ],
      ['Left of the payment', leftMinor === null ? null : formatMoney(leftMinor, currency)],
      [
        'Receipt',
        receipt &&
          `${receiptNumber(receipt)}, ${minuteOf(receipt.issuedAt)}, to ${receipt.buyerName}, ${receipt.buyerEmail}, for ${receipt.line}`,
      ],
      [
        'Terms accepted with it',
        purchase.termsVersion === '' ? null : `version ${purchase.termsVersion}`,
      ],
      ['Its id', id],
    ] as const,
  }
}

const sum = (entries: readonly { tokens: number }[]) =>
  entries.reduce((total, { tokens }) => total + tokens, 0)

/** The state of a payment in Razorpay's words, with what speaks against it. */
export function stateOf({
  status,
  errorReason,
  conflictAt,
}: MoneyRows['payments'][number]['payment']): string {
  return [status, errorReason, conflictAt && 'contradicts itself'].filter(Boolean).join(': ')
}

/** The source of a report about a purchase at a given time. */
type CauseOf = (purchaseId: string | null, at: number) => string | null

/**
 * What happened to the money of an account. All rows that `settle` writes in one batch have the same time, by which each
 * finds the cause that was written with it.
 */
export function moneyEntries(rows: MoneyRows): Entry[] {
  const causes = new Map(
    rows.causes.map(({ cause }) => [`${cause.purchaseId} ${cause.createdAt}`, cause.cause]),
  )
  const causeOf: CauseOf = (purchaseId, at) => causes.get(`${purchaseId} ${at}`) ?? null
  return [
    ...rows.purchases.flatMap((row) => ofPurchase(row, causeOf)),
    ...rows.payments.flatMap((row) => ofPayment(row, rows, causeOf)),
    ...rows.pending.map(({ owed, currency }) => ofPending(owed, currency, causeOf)),
    ...rows.refundsAndDisputes.flatMap((row) => ofRefundOrDispute(row, causeOf)),
    ...rows.tokens.map(({ purchaseId, kind, tokens, createdAt: at }) => ({
      at,
      about: 'tokens',
      text: `${kind} of ${inFigures(kind === 'reversal' ? -tokens : tokens)} tokens`,
      purchaseId,
      cause: causeOf(purchaseId, at),
    })),
  ]
}

function ofPurchase(
  { purchase, receipt }: MoneyRows['purchases'][number],
  causeOf: CauseOf,
): Entry[] {
  const {
    id: purchaseId,
    sku,
    amountMinor,
    currency,
    channel,
    country,
    createdAt,
    status,
  } = purchase
  const order = purchase.razorpayOrderId ?? purchase.razorpayLinkId ?? 'no order yet'
  const from = country === null ? '' : ` from ${country}`
  const text = `${inWords(sku)} for ${formatMoney(amountMinor, currency)} by ${channel}${from} (${purchaseId}, ${order})`
  const begun = {
    at: createdAt,
    about: 'purchase',
    text,
    purchaseId,
    isTrouble: status === 'review',
  }
  if (receipt === null) return [begun]
  const { issuedAt: at } = receipt
  const issued = `receipt ${receiptNumber(receipt)} issued`
  return [
    { at, about: 'purchase', text: issued, purchaseId, cause: causeOf(purchaseId, at) },
    begun,
  ]
}

/**
 * A payment has a line for when we first heard of it and, if it was captured later, one for that: captured money grants or
 * is owed back in the same batch. Money that was refunded after that is a line only where no refund shows it.
 */
function ofPayment(
  { payment, grantedAt }: MoneyRows['payments'][number],
  { pending, purchases, refundsAndDisputes }: MoneyRows,
  causeOf: CauseOf,
): Entry[] {
  const { id, purchaseId, status, amountMinor, currency, createdAt, updatedAt } = payment
  const debt = pending.find(({ owed }) => owed.paymentId === id)
  const capturedAt = status === 'captured' ? (grantedAt ?? debt?.owed.createdAt ?? createdAt) : null
  const reachedAt = capturedAt ?? updatedAt
  const line = (at: number, words: string, isTrouble = false): Entry => ({
    ...{ at, about: 'payment', text: `${id} ${words}`, purchaseId, isTrouble },
    cause: causeOf(purchaseId, at),
  })
  const sold = purchases.find(({ purchase }) => purchase.id === purchaseId)?.purchase
  const doubt = sold === undefined || status !== 'captured' ? null : doubtOfPlace(sold, payment)
  const words = [stateOf(payment), formatMoney(amountMinor, currency), doubt]
    .filter(Boolean)
    .join(', ')
  const isTold = refundsAndDisputes.some(
    ({ row }) => row.paymentId === id && row.updatedAt === updatedAt,
  )
  const isMore = updatedAt > reachedAt && payment.amountRefundedMinor > 0 && !isTold
  const back = formatMoney(payment.amountRefundedMinor, currency)
  return [
    ...(reachedAt > createdAt ? [line(createdAt, 'started')] : []),
    line(reachedAt, words, payment.conflictAt !== null || status === 'failed' || doubt !== null),
    ...(isMore ? [line(updatedAt, `has ${back} refunded in all`)] : []),
  ]
}

/** Evidence against the buyer's stated place, on which the tax depends; null when there is none. */
function doubtOfPlace(
  purchase: Purchase,
  { isInternational }: MoneyRows['payments'][number]['payment'],
): string | null {
  const place = billingOf(purchase)?.place
  if (place === undefined) return null
  if (place === OUTSIDE_INDIA) {
    return isInternational === false ? 'by an Indian card, but the buyer said Outside India' : null
  }
  // Razorpay may call any payment in another currency international.
  const isAbroad = isInternational === true && purchase.currency === 'INR'
  return isAbroad ? `by a card from abroad, but the buyer said ${PLACES[place] ?? place}` : null
}

function ofPending(
  {
    paymentId,
    purchaseId,
    amountMinor,
    reason,
    createdAt: at,
    doneAt,
  }: MoneyRows['pending'][number]['owed'],
  currency: string,
  causeOf: CauseOf,
): Entry {
  const back = `${formatMoney(amountMinor, currency)} of ${paymentId} owed back (${inWords(reason)})`
  const isByHand = reason === 'mismatch' ? ": refund it in Razorpay's dashboard" : ''
  const done = doneAt === null ? `not refunded yet${isByHand}` : `refunded ${minuteOf(doneAt)}`
  const cause = causeOf(purchaseId, at)
  return {
    at,
    about: 'refund',
    text: `${back}: ${done}`,
    purchaseId,
    cause,
    isTrouble: doneAt === null,
  }
}

/** A refund is one line. A dispute has one for its beginning and, once it has ended, one for how. */
function ofRefundOrDispute(
  { row, purchaseId }: MoneyRows['refundsAndDisputes'][number],
  causeOf: CauseOf,
): Entry[] {
  const { id, kind, state, beganAt, asOf, updatedAt, respondBy } = row
  const money = formatMoney(row.amountMinor, row.currency)
  const of = { about: kind, purchaseId, cause: causeOf(purchaseId, updatedAt) }
  if (kind === 'refund') return [{ ...of, at: beganAt, text: `refund ${id} ${state}, ${money}` }]
  const isOver = state === 'final' || state === 'undone'
  const until = isOver || respondBy === null ? '' : `, answer before ${minuteOf(respondBy)}`
  const text = `dispute ${id} ${DISPUTE_STATES[state]}, ${money}${until}`
  if (!isOver) return [{ ...of, at: beganAt, text, isTrouble: true }]
  return [
    { ...of, at: beganAt, text: `dispute ${id} opened`, cause: null },
    { ...of, at: asOf, text },
  ]
}
