import { type customerEndpoint, DESK } from '../../../src/contract/desk.ts'
import { CORRECTION_DAYS, DESK_ACT } from '../../../src/contract/desk-acts.ts'
import { subscriptionOf } from '../account/plan.ts'
import { receiptNumber } from '../format-money.ts'
import { requireRow } from '../refusal.ts'
import { days, toIso, toIsoOrNull } from '../time.ts'
import type { OperatorHandler } from '../handler.ts'
import { type CustomerRows, customerStatements } from './customer-rows.ts'
import { timelineOf } from './timeline.ts'

/** One account with everything that happened to it. */
export const showCustomer: OperatorHandler<typeof customerEndpoint> = async (
  ctx,
  { params: { userId } },
) => {
  const rows = await ctx.db.batch(customerStatements(ctx, userId))
  return { success: true, ...toCustomerPage(rows, ctx.now) }
}

/** The rows of `customerStatements` as the desk shows them. NOT_FOUND without an account. */
export function toCustomerPage(rows: CustomerRows, now: number) {
  const found = requireRow(rows.users, 'NOT_FOUND', DESK.noCustomer)
  return { customer: toCustomer(found, { rows, now }), timeline: timelineOf(found.user, rows) }
}

function correctedUntil([correction]: readonly { correctedAt: number }[]): number | null {
  return correction === undefined ? null : correction.correctedAt + days(CORRECTION_DAYS)
}

function toCustomer(
  { user, ...account }: CustomerRows['users'][number],
  { rows, now }: { rows: CustomerRows; now: number },
) {
  const { status, plan, currentPeriodEnd } = subscriptionOf(account, now)
  const ways = {
    password: user.passwordHash !== '',
    Google: user.googleSubject !== null,
    passkey: account.hasPasskey === 1,
    'authenticator app': account.hasTotp === 1,
  }
  return {
    id: user.id,
    email: user.email,
    username: user.username,
    name: [user.firstName, user.lastName].filter(Boolean).join(' '),
    isEmailVerified: user.emailVerifiedAt !== null,
    createdAt: toIso(user.createdAt),
    deletedAt: toIsoOrNull(user.deletedAt),
    suspendedAt: toIsoOrNull(user.suspendedAt),
    correctedUntil: toIsoOrNull(correctedUntil(rows.corrections)),
    waysIn: Object.entries(ways).flatMap(([way, isOpen]) => (isOpen ? [way] : [])),
    subscription: { status, plan, currentPeriodEnd },
    tokens: { used: account.tokensUsed, total: account.tokensTotal },
    sessions: rows.sessions.map(({ device }) => ({ device })),
    purchases: rows.purchases.map((row) => toPurchase(row, rows)),
  }
}

type PurchaseRow = CustomerRows['purchases'][number]

function toPurchase(row: PurchaseRow, rows: CustomerRows) {
  const { purchase, number, series, leftMinor } = row
  const { id, sku, amountMinor, currency, createdAt } = purchase
  const disputes = rows.refundsAndDisputes
    .filter(({ row: { kind }, purchaseId }) => kind === 'dispute' && purchaseId === id)
    .map(({ row: dispute }) => dispute)
  const has = (state: string) => disputes.some((dispute) => dispute.state === state)
  const isGrantDisputed = disputes.some(
    ({ state, paymentId }) =>
      state === 'open' &&
      rows.payments.some(
        ({ payment, grantedAt }) => payment.id === paymentId && grantedAt !== null,
      ),
  )
  const isMismatch = rows.owed.some(
    ({ owed }) => owed.purchaseId === id && owed.reason === 'mismatch' && owed.doneAt === null,
  )
  return {
    id,
    sku,
    status: has('open') ? 'disputed' : purchase.status,
    amountMinor,
    leftMinor,
    currency,
    createdAt: toIso(createdAt),
    receiptNumber: number === null || series === null ? null : receiptNumber({ series, number }),
    noRefund: noRefund(row, { isDisputed: isGrantDisputed, isDeleted: isDeleted(rows) }),
    toDo: isMismatch
      ? DESK_ACT.mismatch
      : has('open') || has('inquiry')
        ? DESK_ACT.answerDispute
        : null,
    disputeId: disputes[0]?.id ?? null,
  }
}

function isDeleted({ users: [found] }: CustomerRows): boolean {
  return found !== undefined && found.user.deletedAt !== null
}

/** Why `planRefund` would refuse any refund of it; null when it would not. */
function noRefund(
  { leftMinor }: PurchaseRow,
  { isDisputed, isDeleted }: { isDisputed: boolean; isDeleted: boolean },
): string | null {
  if (leftMinor === null) return DESK_ACT.notPaid
  if (isDeleted) return DESK_ACT.deleted
  if (isDisputed) return DESK_ACT.disputed
  return leftMinor <= 0 ? DESK_ACT.refunded : null
}
