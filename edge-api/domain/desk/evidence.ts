import { and, asc, eq, gte, inArray, sql } from 'drizzle-orm'
import {
  CUSTOMER_ROWS_MAX,
  DESK,
  type EvidencePart,
  type evidenceEndpoint,
} from '../../../src/contract/desk.ts'
import { payments, purchases, receipts, refundsAndDisputes } from '../../db/schema/purchases.ts'
import { accountEvents, mails } from '../../db/schema/records.ts'
import { usageDays, usageSessions } from '../../db/schema/tokens.ts'
import { users } from '../../db/schema/users.ts'
import { SIGNS_OF_USE } from '../account/account-event.ts'
import type { Context } from '../context.ts'
import { formatMoney, inFigures, receiptNumber } from '../format-money.ts'
import { requireRow } from '../refusal.ts'
import { days, toIso, toIsoOrNull } from '../time.ts'
import type { OperatorHandler } from '../handler.ts'

/**
 * The evidence for a dispute: the purchase, its receipt, the consent, the sign-ins and the use of the tokens. It stores
 * nothing. NOT_FOUND for a dispute that Razorpay never reported.
 */
export const showEvidence: OperatorHandler<typeof evidenceEndpoint> = async (
  ctx,
  { params: { disputeId } },
) => {
  const { disputes } = await ctx.db.batch({
    disputes: disputeQuery(ctx, disputeId),
  })
  const about = requireRow(disputes, 'NOT_FOUND', DESK.noDispute)
  const rows = await ctx.db.batch(evidenceStatements(ctx, about))
  const { dispute, purchase } = about
  return {
    success: true,
    dispute: {
      id: dispute.id,
      state: dispute.state,
      phase: dispute.phase ?? '',
      amountMinor: dispute.amountMinor,
      currency: dispute.currency,
      beganAt: toIso(dispute.beganAt),
      respondBy: toIsoOrNull(dispute.respondBy),
      userId: purchase.userId,
    },
    parts: [
      purchasePart(about),
      receiptPart(rows),
      consentPart(ctx, about),
      signInPart(rows),
      usagePart(rows),
    ],
  }
}

function disputeQuery({ db }: Context, disputeId: string) {
  return db
    .select({
      dispute: refundsAndDisputes,
      payment: payments,
      purchase: purchases,
      user: users,
    })
    .from(refundsAndDisputes)
    .innerJoin(payments, eq(payments.id, refundsAndDisputes.paymentId))
    .innerJoin(purchases, eq(purchases.id, payments.purchaseId))
    .innerJoin(users, eq(users.id, purchases.userId))
    .where(and(eq(refundsAndDisputes.id, disputeId), eq(refundsAndDisputes.kind, 'dispute')))
}

type About = Awaited<ReturnType<typeof disputeQuery>>[number]

function evidenceStatements({ db }: Context, { purchase }: About) {
  const { id, userId, paymentMode, createdAt } = purchase
  const firstDay = createdAt - (createdAt % days(1))
  return {
    receipts: db.select().from(receipts).where(eq(receipts.purchaseId, id)),
    receiptMails: db
      .select()
      .from(mails)
      .where(eq(mails.id, `mail-receipt:${id}`)),
    events: db
      .select()
      .from(accountEvents)
      .where(
        and(
          eq(accountEvents.userId, userId),
          inArray(accountEvents.kind, [...SIGNS_OF_USE]),
          gte(accountEvents.createdAt, firstDay),
        ),
      )
      .orderBy(asc(accountEvents.createdAt))
      .limit(CUSTOMER_ROWS_MAX),
    usage: db
      .select({ day: usageDays.day, tokens: sql<number>`sum(${usageDays.tokens})` })
      .from(usageDays)
      .where(
        and(
          eq(usageDays.userId, userId),
          eq(usageDays.paymentMode, paymentMode),
          gte(usageDays.day, firstDay),
        ),
      )
      .groupBy(usageDays.day)
      .orderBy(asc(usageDays.day))
      .limit(CUSTOMER_ROWS_MAX),
    grants: db.all<{ tokens: number; reversed: number; unused: number }>(sql`
      SELECT g.tokens, o.left AS unused, (
        SELECT coalesce(-sum(l.tokens), 0) FROM ledger l
        WHERE l.purchase_id = g.purchase_id AND l.kind IN ('reversal', 'restoration')
      ) AS reversed
      FROM grants g JOIN lots o ON o.purchase_id = g.purchase_id
      WHERE g.purchase_id = ${id}`),
    sessions: db
      .select({ count: sql<number>`count(*)` })
      .from(usageSessions)
      .where(and(eq(usageSessions.userId, userId), gte(usageSessions.startedAt, createdAt))),
  }
}

type Statements = ReturnType<typeof evidenceStatements>
type Rows = { [Name in keyof Statements]: Awaited<Statements[Name]> }

function purchasePart({ purchase, payment, user }: About): EvidencePart {
  const { id, sku, tokens, accessDays, country, createdAt, paidAt } = purchase
  return {
    title: 'The purchase',
    facts: [
      ['Customer', `${user.email} (${user.username})`],
      [
        'Sold',
        `${sku.replaceAll('_', ' ')}: ${inFigures(tokens)} tokens${accessDays > 0 ? `, ${accessDays} days of access` : ''}`,
      ],
      ['Delivered', 'immediately, online, to the account'],
      ['Price', formatMoney(payment.amountMinor, payment.currency)],
      ['Ordered', [toIso(createdAt), country].filter(Boolean).join(', from ')],
      ['Tokens granted', paidAt === null ? 'never' : toIso(paidAt)],
      ['Refunded', formatMoney(payment.refundedMinor, payment.currency)],
      ['Purchase', id],
      ['Payment', [payment.id, payment.method].filter(Boolean).join(', ')],
      ['Order', payment.razorpayOrderId],
    ],
  }
}

function receiptPart({ receipts: [receipt], receiptMails: [mail] }: Rows): EvidencePart {
  if (receipt === undefined) return { title: 'The receipt', facts: [['Receipt', 'none issued']] }
  return {
    title: 'The receipt',
    facts: [
      ['Receipt', receiptNumber(receipt)],
      ['Issued', toIso(receipt.issuedAt)],
      ['To', `${receipt.buyerName}, ${receipt.buyerEmail}`],
      ['For', receipt.line],
      [
        'Emailed',
        mail?.sentAt == null ? 'no record left' : `${toIso(mail.sentAt)} to ${mail.toAddress}`,
      ],
    ],
  }
}

/** A buyer accepts the terms in force on the day of the order (domain/account/terms.ts). */
function consentPart({ origin }: Context, { purchase, user }: About): EvidencePart {
  const ordered = purchase.termsVersion === '' ? 'unknown' : `version ${purchase.termsVersion}`
  return {
    title: 'Consent',
    facts: [
      ['Terms accepted with the order', `${ordered}, ${toIso(purchase.createdAt)}`],
      [
        'Terms accepted for the account',
        `version ${user.termsVersion}, ${toIso(user.termsAcceptedAt)}`,
      ],
      ['Text of the terms', `${origin}/terms`],
      ['Address verified', toIsoOrNull(user.emailVerifiedAt) ?? 'never'],
    ],
  }
}

function signInPart({ events }: Rows): EvidencePart {
  return {
    title: 'Sign-ins since the day of the order',
    facts: events.map(({ kind, createdAt, device, ipPrefix }) => [
      toIso(createdAt),
      [kind.replaceAll('_', ' '), device, ipPrefix].filter(Boolean).join(' · '),
    ]),
  }
}

/** The tokens missing from this purchase's grant are its use; the account's other tokens are not evidence. */
function usagePart({ usage, grants: [grant], sessions: [counted] }: Rows): EvidencePart {
  const used =
    grant === undefined
      ? 'none granted'
      : `${inFigures(grant.tokens - grant.reversed - grant.unused)} of ${inFigures(grant.tokens)}`
  return {
    title: 'Use since the order',
    facts: [
      ['Tokens of this purchase used', used],
      ['Sessions of the assistant', inFigures(counted?.count ?? 0)],
      ...usage.map(({ day, tokens }): [string, string] => [
        toIso(day).slice(0, 10),
        `${inFigures(tokens)} tokens used by the account, from any purchase`,
      ]),
    ],
  }
}
