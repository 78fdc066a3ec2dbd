import { OUTSIDE_INDIA, PLACES } from '../../../src/contract/billing.ts'
import type { TimelineEntry } from '../../../src/contract/desk.ts'
import { z } from '../../../src/contract/zod.ts'
import type { deskActs } from '../../db/schema/desk.ts'
import type { users } from '../../db/schema/users.ts'
import { formatMoney, inFigures, receiptNumber } from '../format-money.ts'
import { DISPUTE_STATES } from '../mail/purchase-mails.ts'
import { billingOf } from '../purchase/tax.ts'
import { inMinutes, toIso } from '../time.ts'
import type { CustomerRows } from './customer-rows.ts'

type User = typeof users.$inferSelect
type Entry = Omit<TimelineEntry, 'at'> & { at: number }

/** Events about money are notifications to the customer; the rest of the timeline shows what happened. */
const NOTICES: Record<string, string> = {
  paid: 'payment notice sent',
  refunded: 'refund notice sent',
  disputed: 'dispute notice sent',
}

/** Kinds of events to look at when somebody is locked out or complains. */
const TROUBLE = ['sign_in_failed', 'factor_failed', 'disputed', 'not_me']

/**
 * Everything that happened to an account, newest first. All rows that `settle` writes in one batch have the same time,
 * by which each finds the cause that was written with it.
 */
export function timelineOf(user: User, rows: CustomerRows): TimelineEntry[] {
  const causes = new Map(
    rows.causes.map(({ cause: { purchaseId, createdAt, cause } }) => [
      `${purchaseId} ${createdAt}`,
      // The job names the refund that it sent.
      cause.startsWith('refund ') ? `the job's ${cause}` : cause,
    ]),
  )
  const causeOf: CauseOf = (purchaseId, at) => causes.get(`${purchaseId} ${at}`) ?? null
  const purchaseOf = purchaseFinder(rows)
  const entries = [
    ...ofAccount(user, rows, purchaseOf),
    ...ofMessages(rows, purchaseOf),
    ...ofMoney(rows, causeOf),
  ]
  // At the same time, an effect stands above its cause.
  return entries
    .toReversed()
    .toSorted((one, other) => other.at - one.at)
    .map(({ at, ...entry }) => ({ ...entry, at: toIso(at) }))
}

/** The purchase that a row is about, by its id or the id that its own ends in: `paid:pur_…`, `mail-refund:rfnd_…`. */
type PurchaseOf = (id: string | null) => string | null

function purchaseFinder({ purchases, payments, refundsAndDisputes }: CustomerRows): PurchaseOf {
  const purchaseIds = new Map([
    ...purchases.map(({ purchase: { id } }) => [id, id] as const),
    ...payments.map(({ payment: { id, purchaseId } }) => [id, purchaseId] as const),
    ...refundsAndDisputes.map(({ row: { id }, purchaseId }) => [id, purchaseId] as const),
  ])
  return (id) => purchaseIds.get(id?.split(':').at(-1) ?? '') ?? null
}

/** `2026-11-22 09:05 UTC` */
const minuteOf = (at: number) => `${inMinutes(at)} UTC`

/** `asked_for` as words. */
const inWords = (name: string) => name.replaceAll('_', ' ')

const entry = (
  at: number,
  about: Entry['about'],
  text: string,
  purchaseId: string | null = null,
): Entry => ({
  at,
  about,
  text,
  purchaseId,
  cause: null,
  isTrouble: false,
  mailId: null,
  disputeId: null,
})

function ofAccount(
  user: User,
  { events, failures, usage, acts }: CustomerRows,
  purchaseOf: PurchaseOf,
): Entry[] {
  const registered = events.some(({ kind }) => kind === 'registered')
    ? []
    : [entry(user.createdAt, 'account', 'registered')]
  return [
    ...registered,
    ...acts.map((row) => ({
      ...entry(row.act.createdAt, 'act', sayAct(row), purchaseOf(row.act.subject)),
      cause: `operator ${row.operator ?? row.act.operatorId}`,
    })),
    ...[...events, ...failures].map(({ id, createdAt, kind, device, ipPrefix }) => ({
      ...entry(
        createdAt,
        'account',
        [NOTICES[kind] ?? inWords(kind), device, ipPrefix].filter(Boolean).join(' · '),
        purchaseOf(id),
      ),
      isTrouble: TROUBLE.includes(kind),
    })),
    ...usage.map(({ day, tokens }) =>
      entry(day, 'use', `${inFigures(tokens)} tokens used on ${toIso(day).slice(0, 10)} (UTC)`),
    ),
  ]
}

/** What an operator did: the kind of act, the reason, and the sentences that its preview showed. */
function sayAct({ act }: { act: typeof deskActs.$inferSelect }): string {
  const changes = z.array(z.string()).parse(JSON.parse(act.changes))
  return `${inWords(act.kind)}: ${act.reason} · ${changes.join(' ')}`.slice(0, 600)
}

/** The state of a mail, and whether somebody must look at it. */
function standingOf(mail: CustomerRows['mails'][number], { acts }: CustomerRows) {
  const { id, sentAt, failedAt, attempts, lastError } = mail
  if (sentAt !== null) return { state: `sent ${minuteOf(sentAt)}`, isTrouble: false }
  const tries = `${attempts} ${attempts === 1 ? 'try' : 'tries'}`
  const isGivenUp = failedAt !== null
  // It is claimed from just before a try until just after it.
  if (!isGivenUp && lastError === null && attempts <= 1) {
    return { state: attempts === 0 ? 'waiting to be sent' : 'is being sent', isTrouble: false }
  }
  const state = `${isGivenUp ? 'given up' : 'waits'} after ${tries}: ${lastError ?? 'no reason'}`
  const copied = acts.find(
    ({ act }) =>
      act.kind === 'resend_mail' && act.subject === id && act.createdAt >= (failedAt ?? 0),
  )
  // The copy is a line of its own, which is red if it fails too.
  return isGivenUp && copied !== undefined
    ? { state: `${state}; sent again ${minuteOf(copied.act.createdAt)}`, isTrouble: false }
    : { state, isTrouble: true }
}

function ofMessages(rows: CustomerRows, purchaseOf: PurchaseOf): Entry[] {
  const { mails, tickets, applications } = rows
  return [
    ...mails.map((mail) => {
      const { state, isTrouble } = standingOf(mail, rows)
      const text = `${inWords(mail.kind)} to ${mail.toAddress}: ${state}`
      return {
        ...entry(mail.createdAt, 'mail', text.slice(0, 600), purchaseOf(mail.id)),
        isTrouble,
        mailId: mail.id,
      }
    }),
    ...tickets.map(({ createdAt, number, severity, state, query }) =>
      entry(createdAt, 'message', `T-${number} (${severity}, ${state}): ${query.slice(0, 400)}`),
    ),
    ...applications.map(({ createdAt, number, jobId, state }) =>
      entry(createdAt, 'message', `A-${number} (${inWords(state)}): applied for ${jobId}`),
    ),
  ]
}

/** The source of a report about a purchase at a given time; null when no row names it. */
type CauseOf = (purchaseId: string, at: number) => string | null

/**
 * A payment has a line for when we first heard of it and, if it was captured later, one for that: captured money grants or
 * is owed back in the same batch. Money that was refunded after that is a line only where no refund shows it.
 */
function ofPayment(
  { payment, grantedAt }: CustomerRows['payments'][number],
  { owed, purchases, refundsAndDisputes }: CustomerRows,
  causeOf: CauseOf,
): Entry[] {
  const { id, purchaseId, status, amountMinor, currency, createdAt, updatedAt, errorReason } =
    payment
  const debt = owed.find(({ owed: { paymentId } }) => paymentId === id)
  const capturedAt = status === 'captured' ? (grantedAt ?? debt?.owed.createdAt ?? createdAt) : null
  const state = [status, errorReason].filter(Boolean).join(': ')
  const reachedAt = capturedAt ?? updatedAt
  const line = (at: number, words: string, isTrouble: boolean): Entry => ({
    ...entry(at, 'payment', `${id} ${words}`, purchaseId),
    cause: causeOf(purchaseId, at),
    isTrouble,
  })
  const sold = purchases.find(({ purchase }) => purchase.id === purchaseId)?.purchase
  const doubt = sold === undefined || status !== 'captured' ? null : doubtOfPlace(sold, payment)
  const isTrouble = payment.conflictAt !== null || status === 'failed' || doubt !== null
  const money = formatMoney(amountMinor, currency)
  const words = [state, money, doubt].filter((part) => part !== null).join(', ')
  const lines = [line(reachedAt, words, isTrouble)]
  if (reachedAt > createdAt) lines.unshift(line(createdAt, 'started', false))
  const isTold = refundsAndDisputes.some(
    ({ row }) => row.paymentId === id && row.updatedAt === updatedAt,
  )
  if (updatedAt > reachedAt && payment.amountRefundedMinor > 0 && !isTold) {
    const back = formatMoney(payment.amountRefundedMinor, currency)
    lines.push(line(updatedAt, `has ${back} refunded in all`, false))
  }
  return lines
}

/** Evidence against the buyer's stated place, on which the tax depends; null when there is none. */
function doubtOfPlace(
  purchase: CustomerRows['purchases'][number]['purchase'],
  { isInternational }: CustomerRows['payments'][number]['payment'],
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

function ofMoney(rows: CustomerRows, causeOf: CauseOf): Entry[] {
  const { purchases, payments, owed, refundsAndDisputes, entries, adjustments } = rows
  return [
    ...purchases.flatMap(({ purchase, number, series, issuedAt }) => {
      const { id, sku, amountMinor, currency, channel, country, razorpayOrderId, createdAt } =
        purchase
      const order = razorpayOrderId ?? purchase.razorpayLinkId ?? 'no order yet'
      const from = country === null ? '' : ` from ${country}`
      const text = `${inWords(sku)} for ${formatMoney(amountMinor, currency)} by ${channel}${from} (${id}, ${order})`
      const begun = {
        ...entry(createdAt, 'purchase', text, id),
        isTrouble: purchase.status === 'review',
      }
      if (number === null || series === null || issuedAt === null) return [begun]
      const receipt = entry(
        issuedAt,
        'purchase',
        `receipt ${receiptNumber({ series, number })} issued`,
        id,
      )
      return [{ ...receipt, cause: causeOf(id, issuedAt) }, begun]
    }),
    ...payments.flatMap((row) => ofPayment(row, rows, causeOf)),
    ...owed.map(
      ({ owed: { paymentId, purchaseId, amountMinor, reason, createdAt, doneAt }, currency }) => {
        const back = `${formatMoney(amountMinor, currency)} of ${paymentId} owed back (${inWords(reason)})`
        const isByHand = reason === 'mismatch' ? ": refund it in Razorpay's dashboard" : ''
        const done =
          doneAt === null ? `not refunded yet${isByHand}` : `refunded ${minuteOf(doneAt)}`
        return {
          ...entry(createdAt, 'refund', `${back}: ${done}`, purchaseId),
          cause: causeOf(purchaseId, createdAt),
          isTrouble: doneAt === null,
        }
      },
    ),
    ...refundsAndDisputes.flatMap((taken) => ofRefundOrDispute(taken, causeOf)),
    ...[...entries, ...adjustments].map(({ entry: { purchaseId, kind, tokens, createdAt } }) => ({
      ...entry(
        createdAt,
        'tokens',
        `${kind} of ${inFigures(kind === 'reversal' ? -tokens : tokens)} tokens`,
        purchaseId,
      ),
      cause: purchaseId === null ? null : causeOf(purchaseId, createdAt),
    })),
  ]
}

/** A refund is one line. A dispute has one for its beginning and, once it has ended, one for how. */
function ofRefundOrDispute(
  { row, purchaseId }: CustomerRows['refundsAndDisputes'][number],
  causeOf: CauseOf,
): Entry[] {
  const { id, kind, state, beganAt, asOf, updatedAt, respondBy } = row
  const money = formatMoney(row.amountMinor, row.currency)
  const cause = causeOf(purchaseId, updatedAt)
  if (kind === 'refund')
    return [{ ...entry(beganAt, kind, `refund ${id} ${state}, ${money}`, purchaseId), cause }]
  const isOver = state === 'final' || state === 'undone'
  const until = isOver || respondBy === null ? '' : `, answer before ${minuteOf(respondBy)}`
  const of = { cause, isTrouble: !isOver, disputeId: id }
  const now = `dispute ${id} ${DISPUTE_STATES[state]}, ${money}${until}`
  if (!isOver) return [{ ...entry(beganAt, kind, now, purchaseId), ...of }]
  return [
    { ...entry(beganAt, kind, `dispute ${id} opened`, purchaseId), ...of, cause: null },
    { ...entry(asOf, kind, now, purchaseId), ...of },
  ]
}
