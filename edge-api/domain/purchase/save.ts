import { eq, type SQL, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { ConstraintViolation, DatabaseBusy } from '../../db/database-error.ts'
import { insertFrom } from '../../db/insert-from.ts'
import * as rows from '../../db/schema/purchases.ts'
import { ledger, lots } from '../../db/schema/tokens.ts'
import { users } from '../../db/schema/users.ts'
import type { Context } from '../context.ts'
import { changed, isOf } from './core/rows.ts'
import type { CreditNote, Grant, Payment, PendingRefund, Receipt, State } from './core/state.ts'
import type { Loaded } from './load.ts'
import { type Purchase, receiptLine } from './purchase.ts'
import { rowOfDispute, rowOfRefund } from './refund-and-dispute-rows.ts'
import { financialYear, invoiceOf } from './tax.ts'

type Statement = BatchItem<'sqlite'>

/**
 * The statements that write what differs between a state as it was read and the next; none when nothing does. Their batch
 * fails, and writes nothing, when the buyer's money changed since it was read: see `isConflict`. Tokens that are used
 * meanwhile are no conflict.
 *
 * @param onlyIf in SQL, what else must hold: it fails like a conflict
 */
export function saveStatements(
  ctx: Context,
  loaded: Loaded,
  after: State,
  onlyIf = sql`true`,
): Statement[] {
  const { state: before } = loaded
  if (after === before) return []
  return [
    checkVersion(ctx, { userId: before.purchase.userId, version: loaded.version }, onlyIf),
    ...savePurchase(ctx, before.purchase, after.purchase),
    ...changed(before.payments, after.payments).map((row) => savePayment(ctx, before, row)),
    ...changed(before.refunds, after.refunds).map((refund) =>
      saveRefundOrDispute(ctx, before.refunds, rowOfRefund(refund)),
    ),
    ...changed(before.disputes, after.disputes).map((dispute) =>
      saveRefundOrDispute(ctx, before.disputes, rowOfDispute(dispute)),
    ),
    ...(before.grant === null && after.grant !== null ? enterGrant(ctx, after, after.grant) : []),
    ...(before.receipt === null && after.receipt !== null
      ? [issueReceipt(ctx, after, after.receipt)]
      : []),
    ...enterReversal(ctx, loaded, after),
    ...after.creditNotes
      .slice(before.creditNotes.length)
      .map((note) => issueNote(ctx, after, note)),
    ...changed(before.pendingRefunds, after.pendingRefunds).map((pending) =>
      savePending(ctx, before, pending),
    ),
  ]
}

/** Fails the batch unless the buyer's money is as it was read: otherwise it writes a NULL, which the column does not take. */
export function checkVersion(
  { db }: Context,
  { userId, version }: { userId: string; version: number },
  onlyIf: SQL,
) {
  const isSame = sql`${users.moneyVersion} = ${version} AND ${onlyIf}`
  return db
    .update(users)
    .set({ moneyVersion: sql`iif(${isSame}, ${version} + 1, NULL)` })
    .where(eq(users.id, userId))
}

/**
 * For the batch of any other change of what `decide` reads, such as days added to a plan: a decision that was made before it
 * is not saved, but made again. The time of the next check and the attempts of a refund change without it.
 */
export function bumpMoneyVersion({ db }: Context, userId: string) {
  return db
    .update(users)
    .set({ moneyVersion: sql`${users.moneyVersion} + 1` })
    .where(eq(users.id, userId))
}

/** So many callers at once all get through: in each round one of them saves, and the others begin again. */
const TRIES = 40

/** Reads and writes the money of an account, and begins again when another changed it in between. DatabaseBusy after the last try. */
export async function untilSaved<Result>(
  readAndWrite: () => Promise<Result>,
  most = TRIES,
): Promise<Result> {
  for (let tries = 0; tries < most; tries += 1) {
    try {
      return await readAndWrite()
    } catch (error) {
      if (!isConflict(error)) throw error
    }
  }
  throw new DatabaseBusy('the money of an account changes all the time')
}

/** Whether a batch failed because the money, or what a key names, had changed since it was read. It wrote nothing. */
export function isConflict(error: unknown): boolean {
  return (
    error instanceof ConstraintViolation && /users\.money_version|order_keys\./.test(error.message)
  )
}

/** Whether a batch failed because an order, payment, refund or dispute is of another purchase: Razorpay says two things of it. */
export function isOfAnotherPurchase(error: unknown): boolean {
  const taken = /UNIQUE constraint failed: (purchases|payments|refunds_and_disputes)\./
  return error instanceof ConstraintViolation && taken.test(error.message)
}

/** The columns of a purchase that a decision changes. */
const COLUMNS = [
  'razorpayLinkOrderId',
  'status',
  'paidAt',
  'reversedAt',
  'verifiedAt',
  'nextCheckAt',
] as const

/** Comes before the other rows: the database compares a grant with the orders of its purchase. */
function savePurchase({ db, now }: Context, before: Purchase, after: Purchase): Statement[] {
  const differing = COLUMNS.filter((name) => before[name] !== after[name])
  if (differing.length === 0) return []
  const values = Object.fromEntries(differing.map((name) => [name, after[name]]))
  return [
    db
      .update(rows.purchases)
      .set({ ...values, updatedAt: now })
      .where(eq(rows.purchases.id, after.id)),
  ]
}

/** Inserting fails when another purchase has a payment of this id. */
function savePayment({ db }: Context, { payments }: State, row: Payment): Statement {
  return payments.some(({ id }) => id === row.id)
    ? db.update(rows.payments).set(row).where(eq(rows.payments.id, row.id))
    : db.insert(rows.payments).values(row)
}

function saveRefundOrDispute(
  { db }: Context,
  before: readonly { id: string }[],
  row: typeof rows.refundsAndDisputes.$inferSelect,
): Statement {
  const table = rows.refundsAndDisputes
  return before.some(({ id }) => id === row.id)
    ? db.update(table).set(row).where(eq(table.id, row.id))
    : db.insert(table).values(row)
}

/** Triggers of the ledger (db/schema/triggers.sql) make the lot and add to the balance. */
function enterGrant({ db }: Context, { purchase }: State, grant: Grant): Statement[] {
  const { id: purchaseId, userId, tokens, paymentMode } = purchase
  const { paymentId, grantedAt } = grant
  const granted = { purchaseId, userId, tokens, paymentMode }
  const entry = { ...granted, ref: `grant:${purchaseId}`, kind: 'grant' as const }
  return [
    db.insert(rows.grants).values({ ...granted, paymentId, grantedAt }),
    db.insert(ledger).values({ ...entry, createdAt: grantedAt }),
  ]
}

/**
 * Triggers take a reversal from the lot and the balance, and add a restoration to both. Tokens that were used since they were read
 * are not there to be reversed: the database takes those that are.
 */
function enterReversal({ db, now }: Context, { state: before, version }: Loaded, after: State) {
  const { purchase, grant } = after
  const more = (grant?.reversed ?? 0) - (before.grant?.reversed ?? 0)
  if (more === 0) return []
  const { id: purchaseId, userId, paymentMode } = purchase
  const kind = more > 0 ? ('reversal' as const) : ('restoration' as const)
  const entry = {
    ref: `${kind}:${purchaseId}:v${version}`,
    userId,
    kind,
    tokens: more > 0 ? sql`-min(${more}, ${lots.left})` : -more,
    purchaseId,
    paymentMode,
    createdAt: now,
  }
  const isThere = more > 0 ? sql`${lots.left} > 0` : sql`true`
  const source = sql`FROM ${lots} WHERE ${lots.purchaseId} = ${purchaseId} AND ${isThere}`
  return [db.run(insertFrom(ledger, entry, source))]
}

/** The statement that records, for the admin pages, what changed a purchase. */
export function recordCause({ db, newId, now }: Context, purchaseId: string, cause: string) {
  return db
    .insert(rows.purchaseCauses)
    .values({ id: newId('cau'), purchaseId, cause, createdAt: now })
}

/** Receipts and notes have one series for each financial year where tax is charged, otherwise always the same. */
function seriesOf({ brand, now }: Context): string {
  return brand.seller.tax === null ? '' : financialYear(now)
}

/**
 * In SQL, the next number of a series. It is taken in the batch that writes the document, under the database's write lock: a
 * batch that fails takes none, so that a series has no gaps and no number twice.
 */
const nextNumber = (table: typeof rows.receipts | typeof rows.creditNotes, series: string) =>
  sql`(SELECT 1 + coalesce(max(${table.number}), 0) FROM ${table} WHERE ${table.series} = ${series})`

/** Keeps the present contents of the profile and the brand, and the order's item and billing. */
function issueReceipt(ctx: Context, { purchase, buyer }: State, receipt: Receipt): Statement {
  const { brand } = ctx
  const series = seriesOf(ctx)
  return ctx.db.insert(rows.receipts).values({
    ...receipt,
    purchaseId: purchase.id,
    series,
    number: nextNumber(rows.receipts, series),
    invoice: invoiceOf(ctx, purchase),
    buyerName: buyer.name,
    buyerEmail: buyer.email,
    sellerName: brand.legalEntity,
    sellerEmail: brand.supportEmail,
    line: receiptLine(ctx, purchase),
  })
}

function issueNote(ctx: Context, { purchase, receipt }: State, note: CreditNote): Statement {
  const series = seriesOf(ctx)
  return ctx.db.insert(rows.creditNotes).values({
    ...note,
    purchaseId: purchase.id,
    series,
    number: nextNumber(rows.creditNotes, series),
    supply: receipt?.supply ?? 'untaxed',
  })
}

/** The job that sends it counts its attempts meanwhile. */
function savePending({ db }: Context, before: State, pending: PendingRefund): Statement {
  const table = rows.pendingRefunds
  const { paymentId } = pending
  const stored = before.pendingRefunds.find(isOf(paymentId))
  if (stored === undefined) return db.insert(table).values(pending)
  const { doneAt, dueAt, refundId } = pending
  const due = dueAt === stored.dueAt ? {} : { dueAt }
  return db
    .update(table)
    .set({ doneAt, refundId, ...due })
    .where(eq(table.paymentId, paymentId))
}
