import { and, desc, eq, ne, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { CUSTOMER_ROWS_MAX } from '../../../src/contract/desk.ts'
import { deskActs } from '../../db/schema/desk.ts'
import {
  grants,
  pendingRefunds,
  payments,
  purchaseCauses,
  purchases,
  receipts,
  refundsAndDisputes,
} from '../../db/schema/purchases.ts'
import { accountEvents, jobApplications, mails, supportTickets } from '../../db/schema/records.ts'
import { sessions } from '../../db/schema/sessions.ts'
import { balances, ledger, usageDays } from '../../db/schema/tokens.ts'
import { users } from '../../db/schema/users.ts'
import { holdingColumns } from '../account/account-query.ts'
import { factorColumns } from '../account/has-factor.ts'
import { latestPlanOf } from '../account/plan.ts'
import { isOpen } from '../account/session.ts'
import type { Context } from '../context.ts'
import { correctionQuery } from './acts/correct-address.ts'

const MAX = CUSTOMER_ROWS_MAX
const FAILURES_MAX = 25

/** The operators who acted, under an alias, because `users` is also the account that is shown. */
const operators = alias(users, 'operators')

/** The statements that read what the tables know about an account, the newest rows of each. */
export function customerStatements(ctx: Context, userId: string) {
  return {
    ...accountStatements(ctx, userId),
    ...moneyStatements(ctx, userId),
    corrections: correctionQuery(ctx, userId),
  }
}

type Statements = ReturnType<typeof customerStatements>

/** The rows that those statements find. */
export type CustomerRows = { [Name in keyof Statements]: Awaited<Statements[Name]> }

function accountStatements(ctx: Context, userId: string) {
  const { db, now, paymentMode } = ctx
  const ownEmail = sql`(SELECT lower(u.email) FROM users u WHERE u.id = ${userId})`
  return {
    users: db
      .select({
        user: users,
        ...factorColumns(sql`${userId}`),
        ...holdingColumns,
      })
      .from(users)
      .leftJoin(balances, and(eq(balances.userId, users.id), eq(balances.paymentMode, paymentMode)))
      .leftJoin(purchases, eq(purchases.id, latestPlanOf(ctx, users.id)))
      .where(eq(users.id, userId)),
    sessions: db
      .select({ device: sessions.device })
      .from(sessions)
      .where(and(eq(sessions.userId, userId), isOpen(now)))
      .orderBy(desc(sessions.lastUsedAt))
      .limit(MAX),
    events: eventsOf(ctx, userId, { isFailure: false, most: MAX }),
    // Apart, so that a stranger's guesses push nothing else off the page.
    failures: eventsOf(ctx, userId, { isFailure: true, most: FAILURES_MAX }),
    mails: db
      .select()
      .from(mails)
      .where(eq(mails.userId, userId))
      .orderBy(desc(mails.createdAt))
      .limit(MAX),
    usage: db
      .select({ day: usageDays.day, tokens: sql<number>`sum(${usageDays.tokens})` })
      .from(usageDays)
      .where(and(eq(usageDays.userId, userId), eq(usageDays.paymentMode, paymentMode)))
      .groupBy(usageDays.day)
      .orderBy(desc(usageDays.day))
      .limit(MAX),
    acts: db
      .select({ act: deskActs, operator: operators.username })
      .from(deskActs)
      .leftJoin(operators, eq(operators.id, deskActs.operatorId))
      .where(eq(deskActs.userId, userId))
      .orderBy(desc(deskActs.createdAt))
      .limit(MAX),
    tickets: db
      .select()
      .from(supportTickets)
      .where(sql`lower(${supportTickets.email}) = ${ownEmail}`)
      .orderBy(desc(supportTickets.number))
      .limit(MAX),
    applications: db
      .select()
      .from(jobApplications)
      .where(sql`lower(${jobApplications.email}) = ${ownEmail}`)
      .orderBy(desc(jobApplications.number))
      .limit(MAX),
  }
}

/** The newest events of an account: wrong passwords alone, or everything else. */
function eventsOf(
  { db }: Context,
  userId: string,
  { isFailure, most }: { isFailure: boolean; most: number },
) {
  const { kind, createdAt } = accountEvents
  return db
    .select()
    .from(accountEvents)
    .where(and(eq(accountEvents.userId, userId), (isFailure ? eq : ne)(kind, 'sign_in_failed')))
    .orderBy(desc(createdAt))
    .limit(most)
}

function moneyStatements({ db }: Context, userId: string) {
  const isOwn = eq(purchases.userId, userId)
  return {
    purchases: db
      .select({
        purchase: purchases,
        number: receipts.number,
        series: receipts.series,
        issuedAt: receipts.issuedAt,
        leftMinor: leftOfGrant(),
      })
      .from(purchases)
      .leftJoin(receipts, eq(receipts.purchaseId, purchases.id))
      .where(isOwn)
      // Money first: an unpaid order is soon made, and a page without a paid one offers no refund of it.
      .orderBy(
        sql`${purchases.status} IN ('creating', 'open', 'attempted', 'expired')`,
        desc(purchases.createdAt),
      )
      .limit(MAX),
    payments: db
      .select({ payment: payments, grantedAt: grants.grantedAt })
      .from(purchases)
      .innerJoin(payments, eq(payments.purchaseId, purchases.id))
      .leftJoin(grants, eq(grants.paymentId, payments.id))
      .where(isOwn)
      .orderBy(desc(payments.createdAt))
      .limit(MAX),
    owed: db
      .select({ owed: pendingRefunds, currency: payments.currency })
      .from(purchases)
      .innerJoin(pendingRefunds, eq(pendingRefunds.purchaseId, purchases.id))
      .innerJoin(payments, eq(payments.id, pendingRefunds.paymentId))
      .where(isOwn)
      .orderBy(desc(pendingRefunds.createdAt))
      .limit(MAX),
    adjustments: db
      .select({ entry: ledger })
      .from(ledger)
      .where(
        // Spelled as in the index of the entries that are not uses.
        and(eq(ledger.userId, userId), sql`${ledger.kind} <> 'use'`, eq(ledger.kind, 'adjustment')),
      )
      .orderBy(desc(ledger.createdAt))
      .limit(MAX),
    refundsAndDisputes: db
      .select({ row: refundsAndDisputes, purchaseId: payments.purchaseId })
      .from(purchases)
      .innerJoin(payments, eq(payments.purchaseId, purchases.id))
      .innerJoin(refundsAndDisputes, eq(refundsAndDisputes.paymentId, payments.id))
      .where(isOwn)
      .orderBy(desc(refundsAndDisputes.beganAt))
      .limit(MAX),
    entries: db
      .select({ entry: ledger })
      .from(purchases)
      .innerJoin(ledger, eq(ledger.purchaseId, purchases.id))
      .where(isOwn)
      .orderBy(desc(ledger.createdAt))
      .limit(MAX),
    causes: db
      .select({ cause: purchaseCauses })
      .from(purchases)
      .innerJoin(purchaseCauses, eq(purchaseCauses.purchaseId, purchases.id))
      .where(isOwn)
      .orderBy(desc(purchaseCauses.createdAt))
      .limit(10 * MAX),
  }
}

/** The part of the payment behind a grant that is neither returned nor owed back, in minor units; null without a grant. */
function leftOfGrant() {
  return sql<number | null>`(
    SELECT m.amount_minor - m.refunded_minor - m.lost_minor - m.pending_refund_minor
    FROM grants g JOIN payments m ON m.id = g.payment_id
    WHERE g.purchase_id = ${purchases.id}
  )`
}
