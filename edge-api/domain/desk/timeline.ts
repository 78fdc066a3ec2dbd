import type { TimelineEntry } from '../../../src/contract/desk.ts'
import type { users } from '../../db/schema/users.ts'
import { formatMoney, receiptNumber } from '../format-money.ts'
import { toIso } from '../time.ts'
import type { CustomerRows } from './customer-rows.ts'

type User = typeof users.$inferSelect
type Entry = Omit<TimelineEntry, 'at'> & { at: number }

const PAYMENT_RANKS = ['created', 'failed', 'authorized', 'captured']

/** Kinds of events that ask for a look when somebody is locked out or complains. */
const TROUBLE = ['sign_in_failed', 'factor_failed', 'disputed', 'not_me']

/**
 * Everything that happened to an account, newest first. What `settle` wrote in one batch has one instant, by which each
 * row finds the cause that was written with it.
 */
export function timelineOf(user: User, rows: CustomerRows): TimelineEntry[] {
  const causes = new Map(
    rows.causes.map(({ cause }) => [`${cause.purchaseId} ${cause.createdAt}`, cause.cause]),
  )
  const causeOf = (purchaseId: string, at: number) => causes.get(`${purchaseId} ${at}`) ?? null
  const entries = [...ofAccount(user, rows), ...ofMessages(rows), ...ofMoney(rows, causeOf)]
  // Of one instant, what follows stands above what it follows from.
  return entries
    .toReversed()
    .toSorted((one, other) => other.at - one.at)
    .map(({ at, ...entry }) => ({ ...entry, at: toIso(at) }))
}

/** `2026-11-22 09:05 UTC` */
const minuteOf = (at: number) => `${toIso(at).slice(0, 16).replace('T', ' ')} UTC`

const entry = (at: number, about: Entry['about'], text: string): Entry => ({
  at,
  about,
  text,
  cause: null,
  isTrouble: false,
  mailId: null,
})

function ofAccount(user: User, { events, usage, acts }: CustomerRows): Entry[] {
  const registered = events.some(({ kind }) => kind === 'registered')
    ? []
    : [entry(user.createdAt, 'account', 'registered')]
  return [
    ...registered,
    ...acts.map(({ createdAt, kind, reason, operatorId }) => ({
      ...entry(createdAt, 'account', `${kind.replaceAll('_', ' ')}: ${reason}`),
      cause: `operator ${operatorId}`,
    })),
    ...events.map(({ createdAt, kind, device, ipPrefix }) => ({
      ...entry(
        createdAt,
        'account',
        [kind.replaceAll('_', ' '), device, ipPrefix].filter(Boolean).join(' · '),
      ),
      isTrouble: TROUBLE.includes(kind),
    })),
    ...usage.map(({ day, tokens }) =>
      entry(day, 'tokens', `${count(tokens)} tokens used on this day`),
    ),
  ]
}

function ofMessages({ mails, tickets, applications }: CustomerRows): Entry[] {
  return [
    ...mails.map(({ id, createdAt, kind, toAddress, sentAt, failedAt, attempts, lastError }) => {
      const state =
        sentAt !== null
          ? `sent ${minuteOf(sentAt)}`
          : `${failedAt === null ? 'waits' : 'given up'} after ${attempts} tries: ${lastError ?? 'not tried'}`
      const text = `mail ${kind.replaceAll('_', ' ')} to ${toAddress}: ${state}`
      return {
        ...entry(createdAt, 'mail', text.slice(0, 600)),
        isTrouble: sentAt === null && attempts > 0,
        mailId: id,
      }
    }),
    ...tickets.map(({ createdAt, number, severity, state, query }) =>
      entry(createdAt, 'message', `T-${number} (${severity}, ${state}): ${query.slice(0, 400)}`),
    ),
    ...applications.map(({ createdAt, number, jobId, state }) =>
      entry(
        createdAt,
        'message',
        `A-${number} (${state.replaceAll('_', ' ')}): applied for ${jobId}`,
      ),
    ),
  ]
}

function ofMoney(
  { purchases, payments, owed, refundsAndDisputes, entries, adjustments }: CustomerRows,
  causeOf: (purchaseId: string, at: number) => string | null,
): Entry[] {
  return [
    ...purchases.flatMap(({ purchase, number, series, issuedAt }) => {
      const { id, sku, amountMinor, currency, channel, razorpayOrderId, createdAt } = purchase
      const order = razorpayOrderId ?? purchase.razorpayLinkId ?? 'no order yet'
      const text = `${sku} for ${formatMoney(amountMinor, currency)} by ${channel} (${id}, ${order})`
      const begun = {
        ...entry(createdAt, 'purchase', text),
        isTrouble: purchase.status === 'review',
      }
      if (number === null || series === null || issuedAt === null) return [begun]
      const receipt = entry(
        issuedAt,
        'purchase',
        `receipt ${receiptNumber({ series, number })} issued`,
      )
      return [{ ...receipt, cause: causeOf(id, issuedAt) }, begun]
    }),
    ...payments.map(({ payment }) => {
      const { id, purchaseId, rank, amountMinor, currency, updatedAt, errorReason } = payment
      const state = [PAYMENT_RANKS[rank], errorReason].filter(Boolean).join(': ')
      return {
        ...entry(updatedAt, 'payment', `${id} ${state}, ${formatMoney(amountMinor, currency)}`),
        cause: causeOf(purchaseId, updatedAt),
        isTrouble: payment.conflictAt !== null || rank === 1,
      }
    }),
    ...owed.map(
      ({ owed: { paymentId, purchaseId, amountMinor, reason, createdAt, doneAt }, currency }) => {
        const back = `${formatMoney(amountMinor, currency)} of ${paymentId} owed back (${reason})`
        const done = doneAt === null ? 'not refunded yet' : `refunded ${minuteOf(doneAt)}`
        return {
          ...entry(createdAt, 'refund', `${back}: ${done}`),
          cause: causeOf(purchaseId, createdAt),
          isTrouble: doneAt === null,
        }
      },
    ),
    ...refundsAndDisputes.map(({ row, purchaseId }) => {
      const until = row.respondBy === null ? '' : `, answer before ${minuteOf(row.respondBy)}`
      const money = formatMoney(row.amountMinor, row.currency)
      return {
        ...entry(row.beganAt, 'refund', `${row.kind} ${row.id} ${row.state}, ${money}${until}`),
        cause: causeOf(purchaseId, row.updatedAt),
        isTrouble: row.kind === 'dispute',
      }
    }),
    ...[...entries, ...adjustments].map(({ entry: { purchaseId, kind, tokens, createdAt } }) => ({
      ...entry(createdAt, 'tokens', `${kind} of ${count(tokens)} tokens`),
      cause: purchaseId === null ? null : causeOf(purchaseId, createdAt),
    })),
  ]
}

function count(tokens: number): string {
  return tokens.toLocaleString('en-US')
}
