import { and, asc, eq, gt, type SQL, sql } from 'drizzle-orm'
import * as rows from '../../db/schema/purchases.ts'
import { ledger, lots } from '../../db/schema/tokens.ts'
import { users } from '../../db/schema/users.ts'
import { planEndsAt } from '../entitlement/plan.ts'
import type { Context } from '../context.ts'
import type { Facts } from '../ports/payments.ts'
import type { State } from './core/state.ts'
import { idsWhere, isOfFacts } from './purchase.ts'
import { disputesIn, refundsIn } from './refund-and-dispute-rows.ts'

/** A state as it was read. */
export interface Loaded {
  state: State
  /** Which change of the buyer's money this is: saving fails when there was another since. */
  version: number
}

/**
 * The statements that read all that decisions about purchases depend on; `statesOf` takes their rows. Part of any batch, so
 * that a call needs no round trip of its own for them.
 *
 * @param ids in SQL, a subquery of the ids of purchases
 */
export function stateStatements({ db }: Pick<Context, 'db'>, ids: SQL) {
  const { purchases, payments, refundsAndDisputes, pendingRefunds, grants, receipts, creditNotes } =
    rows
  return {
    found: db
      .select({ purchase: purchases, user: users })
      .from(purchases)
      .innerJoin(users, eq(users.id, purchases.userId))
      .where(sql`${purchases.id} IN ${ids}`),
    payments: db
      .select()
      .from(payments)
      .where(sql`${payments.purchaseId} IN ${ids}`)
      .orderBy(asc(payments.createdAt), asc(payments.id)),
    refundsAndDisputes: db
      .select({ purchaseId: payments.purchaseId, row: refundsAndDisputes })
      .from(payments)
      .innerJoin(refundsAndDisputes, eq(refundsAndDisputes.paymentId, payments.id))
      .where(sql`${payments.purchaseId} IN ${ids}`)
      .orderBy(asc(refundsAndDisputes.createdAt), asc(refundsAndDisputes.id)),
    pendingRefunds: db
      .select()
      .from(pendingRefunds)
      .where(sql`${pendingRefunds.purchaseId} IN ${ids}`)
      .orderBy(asc(pendingRefunds.paymentId)),
    grants: db
      .select({
        purchaseId: grants.purchaseId,
        paymentId: grants.paymentId,
        tokens: grants.tokens,
        grantedAt: grants.grantedAt,
        left: lots.left,
        reversed: sql<number>`(
          SELECT coalesce(-sum(${ledger.tokens}), 0) FROM ${ledger}
          WHERE ${ledger.purchaseId} = ${grants.purchaseId} AND ${ledger.kind} IN ('reversal', 'restoration')
        )`,
      })
      .from(grants)
      .innerJoin(lots, eq(lots.purchaseId, grants.purchaseId))
      .where(sql`${grants.purchaseId} IN ${ids}`),
    receipts: db
      .select()
      .from(receipts)
      .where(sql`${receipts.purchaseId} IN ${ids}`),
    creditNotes: db
      .select()
      .from(creditNotes)
      .where(sql`${creditNotes.purchaseId} IN ${ids}`)
      .orderBy(asc(creditNotes.issuedAt), asc(creditNotes.series), asc(creditNotes.number)),
    plans: db
      .select({
        purchaseId: purchases.id,
        userId: purchases.userId,
        paymentMode: purchases.paymentMode,
        paidAt: sql<number>`${purchases.paidAt}`,
        endsAt: planEndsAt,
        isReversed: sql`${purchases.reversedAt} IS NOT NULL`.mapWith(Boolean),
      })
      .from(purchases)
      .where(
        and(
          sql`${purchases.userId} IN (SELECT o.user_id FROM purchases o WHERE o.id IN ${ids})`,
          eq(purchases.kind, 'plan'),
          gt(purchases.paidAt, 0),
        ),
      ),
  }
}

/** As `stateStatements`, for the purchases that facts are about: usually one, none when its order is unknown here. */
export function statementsAbout(ctx: Context, facts: Facts) {
  return stateStatements(ctx, idsWhere(ctx, isOfFacts(facts)))
}

/** In SQL, for `stateStatements`: one purchase. */
export const onePurchase = (id: string) => sql`(${id})`

type Statements = ReturnType<typeof stateStatements>
export type StateRows = { [Name in keyof Statements]: Awaited<Statements[Name]> }

/** The states of the purchases that were found. */
export function statesOf(read: StateRows): Loaded[] {
  return read.found.map(({ purchase, user }) => {
    const { id, userId, paymentMode } = purchase
    const isOwn = (row: { purchaseId: string }) => row.purchaseId === id
    const plans = read.plans.filter(
      (plan) => plan.userId === userId && plan.paymentMode === paymentMode && !isOwn(plan),
    )
    const refundsAndDisputes = read.refundsAndDisputes.filter(isOwn).map(({ row }) => row)
    const { firstName, lastName, username, email, deletedAt } = user
    const name = `${firstName ?? ''} ${lastName ?? ''}`.trim() || username
    const state: State = {
      purchase,
      buyer: { isDeleted: deletedAt !== null, name, email, plans },
      payments: read.payments.filter(isOwn),
      refunds: refundsIn(refundsAndDisputes),
      disputes: disputesIn(refundsAndDisputes),
      pendingRefunds: read.pendingRefunds.filter(isOwn),
      grant: read.grants.find(isOwn) ?? null,
      receipt: read.receipts.find(isOwn) ?? null,
      creditNotes: read.creditNotes.filter(isOwn),
    }
    return { state, version: user.moneyVersion }
  })
}

const PER_BATCH = 500

/**
 * The states of any number of purchases, ordered by id, read some hundred at a time.
 *
 * @param ids in SQL, a subquery of the ids of purchases
 */
export async function* readStates({ db }: Pick<Context, 'db'>, ids: SQL): AsyncGenerator<State> {
  const { purchases } = rows
  const [found] = await db.batch([
    db
      .select({ id: purchases.id })
      .from(purchases)
      .where(sql`${purchases.id} IN ${ids}`)
      .orderBy(asc(purchases.id)),
  ])
  for (let from = 0; from < found.length; from += PER_BATCH) {
    const some = JSON.stringify(found.slice(from, from + PER_BATCH).map(({ id }) => id))
    const read = await db.batch(
      stateStatements({ db }, sql`(SELECT value FROM json_each(${some}))`),
    )
    for (const { state } of statesOf(read)) yield state
  }
}
