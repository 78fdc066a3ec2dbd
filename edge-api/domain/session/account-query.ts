import { and, eq, isNull, sql, type SQLWrapper } from 'drizzle-orm'
import { Preferences, Profile, type User } from '../../../src/contract/account.ts'
import { BillingDetails } from '../../../src/contract/billing.ts'
import { CONFIRMED_MINUTES, FACTOR } from '../../../src/contract/factor.ts'
import { AUTH } from '../../../src/contract/messages.ts'
import { buildOnce } from '../../db/build-once.ts'
import type { Database } from '../../db/database.ts'
import { purchases } from '../../db/schema/purchases.ts'
import { accountEvents } from '../../db/schema/records.ts'
import { sessions } from '../../db/schema/sessions.ts'
import { balances } from '../../db/schema/tokens.ts'
import { users } from '../../db/schema/users.ts'
import type { Context, Claims } from '../context.ts'
import { ApiError, requireRow } from '../api-error.ts'
import { minutes, toIso } from '../time.ts'
import { countOne, dailyCounter, requireWithinLimit } from '../account/daily-limit.ts'
import { LISTED_MS, NOTICE_KINDS } from '../account/record-event.ts'
import { entitlementColumns } from '../entitlement/columns.ts'
import { latestPlanOf, subscriptionOf } from '../entitlement/plan.ts'
import { isOpenSession, isSignedIn } from './session.ts'
import { mustAcceptTerms } from '../account/terms.ts'

const noticeKinds = sql.join(
  NOTICE_KINDS.map((kind) => sql`${kind}`),
  sql`, `,
)

/** @param now milliseconds UTC; notices too old to be listed do not count as unread */
const accountColumns = (now: SQLWrapper) => ({
  user: users,
  ...entitlementColumns,
  unreadNotices: sql<number>`(
    SELECT count(*) FROM ${accountEvents} WHERE ${accountEvents.userId} = ${users.id}
      AND ${accountEvents.createdAt} > max(${users.noticesReadAt}, ${now} - ${LISTED_MS}) AND ${accountEvents.kind} IN (${noticeKinds})
  )`,
})

const isCaller = isSignedIn({
  userId: sql.placeholder('userId'),
  sessionId: sql.placeholder('sessionId'),
  approvedBy: sql.placeholder('approvedBy'),
  now: sql.placeholder('now'),
})

const paymentMode = sql.placeholder('paymentMode')
const isOwnBalance = and(eq(balances.userId, users.id), eq(balances.paymentMode, paymentMode))

/** A user whose session is open, with their tokens and their latest plan in a payment mode. */
const selectAccount = buildOnce((db: Database) =>
  db
    .select({ ...accountColumns(sql.placeholder('now')), session: sessions })
    .from(users)
    .innerJoin(sessions, eq(sessions.userId, users.id))
    .leftJoin(balances, isOwnBalance)
    .leftJoin(purchases, eq(purchases.id, latestPlanOf({ db, paymentMode }, users.id)))
    .where(isCaller),
)

const selectEntitlement = buildOnce((db: Database) =>
  db
    .select(entitlementColumns)
    .from(users)
    .innerJoin(sessions, eq(sessions.userId, users.id))
    .leftJoin(balances, isOwnBalance)
    .leftJoin(purchases, eq(purchases.id, latestPlanOf({ db, paymentMode }, users.id)))
    .where(isCaller),
)

const selectSession = buildOnce((db: Database) =>
  db
    .select({ session: sessions })
    .from(users)
    .innerJoin(sessions, eq(sessions.userId, users.id))
    .where(isCaller),
)

/**
 * The signed-in account with its session, in one statement. A handler that needs the account puts it first in its batch;
 * `requireSignedIn` reads its rows.
 */
export function accountQuery({ db, paymentMode, now }: Context, claims: Claims) {
  return selectAccount({ db }, { paymentMode, now, approvedBy: null, ...claims })
}

/** As `accountQuery`, but reads only the tokens and the plan. */
export function entitlementQuery({ db, paymentMode, now }: Context, claims: Claims) {
  return selectEntitlement({ db }, { paymentMode, now, approvedBy: null, ...claims })
}

/** As `accountQuery`, but reads only the session: for the most frequent calls. */
export function sessionQuery({ db, now }: Context, claims: Claims) {
  return selectSession({ db }, { now, approvedBy: null, ...claims })
}

/** An account that is not deleted, suspended or not, without a session. */
export function accountOf(ctx: Context, userId: string) {
  const { db, paymentMode } = ctx
  return db
    .select(accountColumns(sql`0`))
    .from(users)
    .leftJoin(balances, and(eq(balances.userId, users.id), eq(balances.paymentMode, paymentMode)))
    .leftJoin(purchases, eq(purchases.id, latestPlanOf({ db, paymentMode }, users.id)))
    .where(and(eq(users.id, userId), isNull(users.deletedAt)))
}

export type Account = ReturnType<typeof accountQuery>['_']['result'][number]

/** The row of `accountQuery`, `entitlementQuery` or `sessionQuery`. UNAUTHENTICATED when there is none. */
export function requireSignedIn<Row>(rows: readonly Row[]): Row {
  return requireRow(rows, 'UNAUTHENTICATED', AUTH.unauthenticated)
}

/** The signed-in account, for a handler whose first batch reads nothing else. UNAUTHENTICATED when there is none. */
export async function readAccount(ctx: Context, claims: Claims): Promise<Account> {
  const { accounts } = await ctx.db.batch({ accounts: accountQuery(ctx, claims) })
  return requireSignedIn(accounts)
}

/**
 * As `readAccount`, for a call that adds something to sign in with. Each is mailed, so RATE_LIMITED after many of a day: one account
 * could use up the mails of all.
 */
export async function readAccountToAdd(ctx: Context, claims: Claims): Promise<Account> {
  const addition = await additionOf(ctx, claims)
  const { accounts, counted } = await ctx.db.batch({
    accounts: accountQuery(ctx, claims),
    counted: addition.count,
  })
  const account = requireSignedIn(accounts)
  addition.requireFew(counted)
  return account
}

/** The statement that counts an addition for an open session, and what reads its rows. */
export async function additionOf(ctx: Context, claims: Claims) {
  const counter = await dailyCounter(ctx, 'addition', claims.userId)
  const isOpen = isOpenSession({ ...claims, now: ctx.now })
  return {
    count: countOne(ctx, counter, sql`WHERE ${isOpen}`),
    requireFew: (counted: readonly { count: number }[]) =>
      requireWithinLimit(ctx, counter, counted),
  }
}

/** As `readAccount`. STEP_UP_REQUIRED unless its user was confirmed. */
export async function readConfirmed(ctx: Context, claims: Claims): Promise<Account> {
  const account = await readAccount(ctx, claims)
  requireConfirmed(ctx, account)
  return account
}

export const CONFIRMED_MS = minutes(CONFIRMED_MINUTES)

/**
 * STEP_UP_REQUIRED unless the user of this session proved less than ten minutes ago who they are, by signing in or by
 * `stepUp` (docs/decisions/0062-two-step-sign-in.md).
 */
export function requireConfirmed({ now }: Context, account: Account): void {
  if (!isConfirmed(account, now - CONFIRMED_MS)) {
    throw new ApiError('STEP_UP_REQUIRED', FACTOR.stepUp)
  }
}

/** Whether this session's user has proved who they are since an instant (milliseconds UTC). */
export function isConfirmed({ session: { confirmedAt } }: Account, since: number): boolean {
  return confirmedAt !== null && confirmedAt > since
}

/** The account as its user sees it. The schemas take their columns from the row and leave the others out. */
export function toUser(account: Omit<Account, 'session'>, now: number): User {
  const { user } = account
  const latest = subscriptionOf(account, now)
  const { status, plan, currentPeriodEnd, cancelAtPeriodEnd, takenBackAt } = latest
  const fullName = [user.firstName, user.lastName].filter(Boolean).join(' ')
  return {
    id: user.id,
    username: user.username,
    email: user.email,
    isEmailVerified: user.emailVerifiedAt !== null,
    createdAt: toIso(user.createdAt),
    phone: user.phone,
    firstName: user.firstName,
    lastName: user.lastName,
    profile: Profile.parse({ ...user, fullName: fullName === '' ? null : fullName }),
    subscription: { status, plan, currentPeriodEnd, cancelAtPeriodEnd, takenBackAt },
    tokens: { used: account.tokensUsed, total: account.tokensTotal },
    preferences: Preferences.parse(user),
    unreadNotices: account.unreadNotices,
    billing: user.billing === null ? null : BillingDetails.parse(JSON.parse(user.billing)),
    mustAcceptTerms: mustAcceptTerms(user, now),
  }
}
