import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import type { AccountEventKind } from '../../../src/contract/notice.ts'
import { pendingRefunds } from '../../db/schema/purchases.ts'
import { accountEvents } from '../../db/schema/records.ts'
import { balances } from '../../db/schema/tokens.ts'
import { accountEventRow } from '../account/record-event.ts'
import type { Context } from '../context.ts'
import { formatMoney } from '../format-money.ts'
import { enqueueMail, enqueueMailFrom } from '../mail/outbox.ts'
import { DISPUTE_STATES } from '../mail/purchase-mails.ts'
import type { MailKind, MailPayload } from '../mail/render.ts'
import type { Facts } from '../ports/payments.ts'
import { toIsoOrNull } from '../time.ts'
import { moneyOf } from './core/money-of.ts'
import { changed } from './core/rows.ts'
import {
  CLOCK_SKEW_MS,
  type Dispute,
  type Payment,
  type PendingRefund,
  type Refund,
  type State,
} from './core/state.ts'
import { describeSold, itemOf } from './purchase.ts'
import { storedStateOf } from './refund-and-dispute-rows.ts'

// --- What is new -------------------------------------------------------------------------------------------------------

type News = ReturnType<typeof newsOf>

/** What is new in a state, and worth a notification. */
export function newsOf(before: State, after: State) {
  const refunds = changed(before.refunds, after.refunds)
  const disputes = changed(before.disputes, after.disputes)
  const newPending = after.pendingRefunds.filter(
    ({ id }) => !before.pendingRefunds.some((old) => old.id === id),
  )
  const isNew = ({ id }: Refund) => !before.refunds.some((old) => old.id === id)
  const oldOf = ({ id }: Dispute) => before.disputes.find((old) => old.id === id)
  return {
    /** Whether something about its money changed. */
    isMoneyChanged: before.payments !== after.payments || refunds.length + disputes.length > 0,
    isPaid: before.grant === null && after.grant !== null,
    refunds: refunds
      .filter(isNew)
      .filter(({ state }) => state !== 'failed')
      .filter(({ id, paymentId }) => !moneyOf(after, paymentId).reportedTwice.has(id)),
    failed: refunds.filter(({ state }) => state === 'failed'),
    /** The steps that the team hears of. */
    disputes: disputes.filter((dispute) => !isSameStep(oldOf(dispute), dispute)),
    /** The steps that the buyer hears of: a dispute of the granted payment took tokens, was lost, or gave tokens back. */
    disputesForBuyer: disputes.filter((dispute) => {
      if (dispute.paymentId !== after.grant?.paymentId) return false
      const old = oldOf(dispute)
      return takesTokens(dispute) ? old?.state !== dispute.state : takesTokens(old)
    }),
    extra: newPending.filter(({ reason }) => reason !== 'asked_for'),
    requested: newPending.filter(({ reason }) => reason === 'asked_for'),
    conflicts: changed(before.payments, after.payments).filter(
      ({ id, conflictAt }) =>
        conflictAt !== null &&
        !before.payments.some((old) => old.id === id && old.conflictAt !== null),
    ),
  }
}

const takesTokens = (dispute: Dispute | undefined) =>
  dispute?.state === 'open' || dispute?.state === 'lost'

/** Whether a dispute asks nothing new of the team. A deadline that is gone was met: the bank reviews the answer. */
function isSameStep(old: Dispute | undefined, { state, phase, respondBy }: Dispute): boolean {
  const isSameState = state === old?.state && phase === old.phase
  return isSameState && (respondBy === null || respondBy === old.respondBy)
}

/**
 * The statements that notify the buyer, or for a deleted account the address that paid, and that tell the team about a
 * dispute. Each id is made from its cause, so that a mail or notification exists once.
 */
export function notifyStatements(ctx: Context, state: State, news: News, facts: Facts) {
  const { isDeleted } = state.buyer
  return {
    events: isDeleted ? [] : eventsOf(ctx, state, news),
    mails: [
      ...(isDeleted ? mailPayers(ctx, state, news, facts) : mailBuyer(ctx, state, news)),
      ...mailTeam(ctx, state, news),
    ],
  }
}

// --- To the buyer ------------------------------------------------------------------------------------------------------

/** The new entries of the buyer's bell. */
export function bellEntries({ purchase }: State, { isPaid, refunds, disputesForBuyer }: News) {
  const { id, tokens, amountMinor, currency } = purchase
  const item = itemOf(purchase).name
  const entry = (id: string, kind: AccountEventKind, facts: Record<string, string | number>) => {
    const detail: Record<string, string | number> = { item, ...facts }
    return { id, kind, detail }
  }
  return [
    ...(isPaid ? [entry(`paid:${id}`, 'paid', { tokens, amount: amountMinor, currency })] : []),
    ...refunds.map((refund) => {
      const { amountMinor: amount, currency } = refund
      return entry(`refund:${refund.id}`, 'refunded', { amount, currency })
    }),
    ...disputesForBuyer.map((dispute) => {
      const { amountMinor: amount, currency, asOf } = dispute
      const step = storedStateOf(dispute)
      return entry(`dispute:${dispute.id}:${step}:${asOf}`, 'disputed', { amount, currency, step })
    }),
  ]
}

function eventsOf(ctx: Context, state: State, news: News) {
  const { userId } = state.purchase
  // Whoever reported it, it was done at Razorpay or a bank.
  return bellEntries(state, news).map((event) =>
    ctx.db
      .insert(accountEvents)
      .values({ ...accountEventRow(ctx, { ...event, userId }), device: null, ipPrefix: null })
      .onConflictDoNothing(),
  )
}

function mailBuyer(ctx: Context, state: State, news: News): BatchItem<'sqlite'>[] {
  const { purchase } = state
  const item = itemOf(purchase).name
  const mail = <Kind extends MailKind>(id: string, kind: Kind, payload: PayloadFrom<Kind>) =>
    mailTo(ctx, state, { id, kind, payload })
  const about = aboutOf(state)
  return [
    ...(news.isPaid ? [mailReceipt(ctx, state)] : []),
    ...news.refunds.map((refund) =>
      mail(`mail-refund:${refund.id}`, 'refund', {
        item,
        purchaseId: purchase.id,
        refunded: moneyIn(refund),
        isDone: refund.state === 'processed',
      }),
    ),
    ...news.disputesForBuyer.map((dispute) => mailDispute(ctx, state, dispute)),
    ...news.failed.flatMap((failed) => {
      const pending = state.pendingRefunds.find((one) => isFailureOf(failed, one))
      if (pending === undefined) return []
      const refund = moneyOfPending(state, pending)
      return [
        mail(`mail-refund-failed:${failed.id}`, 'refund_failed', { ...about, refund }),
        markNotified(ctx, pending),
      ]
    }),
    ...news.requested.map((pending) => {
      const refund = moneyOfPending(state, pending)
      const payload = { ...about, refund, tokens: pending.tokens, askedAt: pending.createdAt }
      return mail(`mail-refund-asked:${pending.paymentId}`, 'refund_asked', payload)
    }),
    ...news.extra
      .filter(({ reason, doneAt }) => reason === 'mismatch' && doneAt === null)
      .flatMap((pending) => {
        const [ordered, paid] = [moneyIn(purchase), moneyIn(paymentOf(state, pending))]
        const payload = { ...about, ordered, paid }
        return [
          mail(`mail-review:${pending.paymentId}`, 'payment_in_review', payload),
          markNotified(ctx, pending),
        ]
      }),
  ]
}

/** What a dispute took or gave back, and what the buyer has now. */
function mailDispute(ctx: Context, state: State, dispute: Dispute): BatchItem<'sqlite'> {
  const { userId, paymentMode, kind } = state.purchase
  const left = sql`coalesce((SELECT b.total - b.used FROM ${balances} b
    WHERE b.user_id = ${userId} AND b.payment_mode = ${paymentMode}), 0)`
  const step = storedStateOf(dispute)
  const disputed = moneyIn(dispute)
  const payload = { ...aboutOf(state), disputed, step, isPlan: kind === 'plan', left }
  const id = `mail-disputed:${dispute.id}:${step}:${dispute.asOf}`
  return mailTo(ctx, state, { id, kind: 'payment_disputed', payload })
}

function mailTo<Kind extends MailKind>(
  ctx: Context,
  { purchase, buyer }: State,
  mail: { id: string; kind: Kind; payload: PayloadFrom<Kind> },
) {
  const { userId } = purchase
  return enqueueMailFrom(ctx, { ...mail, to: buyer.email, userId }, sql`WHERE true`)
}

/** What a mail says of its purchase. */
export const aboutOf = (state: State) => ({
  item: itemOf(state.purchase).name,
  purchaseId: state.purchase.id,
  receipt: numberOfReceipt(state),
})

/** Its number is given by the database in the same batch. */
function mailReceipt(ctx: Context, { purchase, buyer }: State) {
  const { id: purchaseId, userId, tokens } = purchase
  const payload = {
    series: sql`r.series`,
    number: sql`r.number`,
    purchaseId,
    item: describeSold(purchase),
    tokens,
    total: moneyIn(purchase),
  }
  return enqueueMailFrom(
    ctx,
    { id: `mail-receipt:${purchaseId}`, kind: 'receipt', payload, to: buyer.email, userId },
    sql`FROM receipts r WHERE r.purchase_id = ${purchaseId}`,
  )
}

/**
 * Whether a pending refund is due again because a refund failed. Every refund of extra money covers it, because it is refunded
 * whole; what a buyer requested, only refunds that began after the request. A person sends a mismatch.
 */
function isFailureOf(failed: Refund, pending: PendingRefund): boolean {
  const { paymentId, deducted, createdAt, doneAt, reason } = pending
  if (paymentId !== failed.paymentId || doneAt !== null || reason === 'mismatch') return false
  const isLater = !deducted.includes(failed.id) && failed.beganAt + CLOCK_SKEW_MS >= createdAt
  return reason !== 'asked_for' || isLater
}

/** A deleted account has no address any more: the mail about the refund goes to the address that paid. */
function mailPayers(ctx: Context, state: State, { extra }: News, { payments }: Facts) {
  const item = itemOf(state.purchase).name
  return extra
    .filter(({ doneAt }) => doneAt === null)
    .flatMap((one) => {
      const { paymentId } = one
      const to = payments.find((fact) => fact.paymentId === paymentId)?.payerEmail ?? null
      if (to === null) return []
      const payload = { paymentId, item, paid: moneyIn(paymentOf(state, one)) }
      const kind = 'payment_after_deletion' as const
      return [
        enqueueMail(ctx, { id: `mail-deleted:${paymentId}`, kind, payload, to, userId: null }),
      ]
    })
}

/** The statement that notes that the buyer knows of a refund that waits, or has ended. It changes no row the second time. */
export function markNotified(
  { db, now }: Context,
  { paymentId }: Pick<PendingRefund, 'paymentId'>,
  column: 'notifiedAt' | 'endNotifiedAt' = 'notifiedAt',
) {
  const table = pendingRefunds
  return db
    .update(table)
    .set({ [column]: now })
    .where(and(eq(table.paymentId, paymentId), isNull(table[column])))
}

// --- To the team -------------------------------------------------------------------------------------------------------

/** Every step of a dispute, because it must be answered in time. */
function mailTeam(ctx: Context, state: State, { disputes }: News) {
  return disputes.map((dispute) => {
    const { id: disputeId, paymentId, phase, respondBy, asOf } = dispute
    const step = storedStateOf(dispute)
    return enqueueMail(ctx, {
      id: `mail-dispute:${disputeId}:${phase}:${step}:${respondBy ?? ''}:${asOf}`,
      kind: 'dispute_for_team',
      payload: {
        purchaseId: state.purchase.id,
        paymentId,
        disputeId,
        phase,
        state: step,
        disputed: moneyIn(dispute),
        paid: moneyIn(paymentOf(state, dispute)),
        respondBy,
      },
      to: ctx.brand.supportEmail,
      userId: null,
    })
  })
}

/** Alerts for the operator. */
export function alertOperator(
  { log }: { log: Pick<Context['log'], 'alert'> },
  state: State,
  news: News,
): void {
  const purchaseId = state.purchase.id
  for (const { paymentId, reason, amountMinor } of news.extra) {
    const amount = formatMoney(amountMinor, paymentOf(state, { paymentId }).currency)
    log.alert('captured money is owed back', { purchaseId, paymentId, amount, reason })
  }
  for (const { id, paymentId, amountMinor, currency } of news.failed) {
    const amount = formatMoney(amountMinor, currency)
    const isNoted = state.creditNotes.some(({ refundId }) => refundId === id)
    const noted = isNoted ? { creditNote: 'issued' } : {}
    log.alert('a refund came back', { purchaseId, paymentId, refundId: id, amount, ...noted })
  }
  for (const dispute of news.disputes) {
    const { id: disputeId, paymentId, phase, amountMinor, currency } = dispute
    const amount = formatMoney(amountMinor, currency)
    const respondBy = toIsoOrNull(dispute.respondBy)
    const isForeign = currency !== paymentOf(state, dispute).currency
    // Its share is unknown here: all tokens of the purchase are reversed unless it is won or closed.
    const takes = isForeign ? { takes: 'the whole payment, because its currency is another' } : {}
    const words = DISPUTE_STATES[storedStateOf(dispute)]
    const fields = { disputeId, paymentId, phase, state: words, amount, respondBy, ...takes }
    log.alert('a payment is disputed', { purchaseId, ...fields })
  }
  for (const { id: paymentId } of news.conflicts)
    log.alert('a payment contradicts itself', { paymentId, purchaseId })
}

// --- Of what they say --------------------------------------------------------------------------------------------------

function paymentOf({ payments }: State, { paymentId }: { paymentId: string }): Payment {
  const payment = payments.find(({ id }) => id === paymentId)
  if (payment === undefined) throw new Error(`there is no payment ${paymentId}`)
  return payment
}

/** The money of a pending refund, in the currency of its payment. */
export function moneyOfPending(state: State, pending: PendingRefund) {
  const { currency } = paymentOf(state, pending)
  return { amountMinor: pending.amountMinor, currency }
}

type PayloadFrom<Kind extends MailKind> = {
  [Name in keyof MailPayload<Kind>]: MailPayload<Kind>[Name] | SQL
}

/** In SQL, the number of the receipt of a purchase; null while it has none. */
function numberOfReceipt({ receipt, purchase }: Pick<State, 'receipt' | 'purchase'>) {
  if (receipt === null) return null
  return sql`json((
    SELECT json_object('series', r.series, 'number', r.number) FROM receipts r WHERE r.purchase_id = ${purchase.id}
  ))`
}

const moneyIn = <Money extends { amountMinor: number; currency: string }>({
  amountMinor,
  currency,
}: Money) => ({ amountMinor, currency })
