import { eq, sql } from 'drizzle-orm'
import { purchases } from '../../../edge-api/db/schema/purchases.ts'
import { balances, ledger } from '../../../edge-api/db/schema/tokens.ts'
import type { Context } from '../../../edge-api/domain/context.ts'
import {
  type Facts,
  factsOf,
  type PaymentFact,
  type RefundOrDispute,
} from '../../../edge-api/domain/ports/payments.ts'
import type { Purchase } from '../../../edge-api/domain/purchase/find-purchase.ts'
import { tokensDue } from '../../../edge-api/domain/purchase/core.ts'
import { onePurchase, stateStatements, statesOf } from '../../../edge-api/domain/purchase/load.ts'
import { settle } from '../../../edge-api/domain/purchase/settle.ts'
import { createAccount } from './account.ts'
import { createWorld, type World } from './world.ts'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** An id as the emulator makes it: `pay_EMU` and eleven characters. */
export function providerId(prefix: 'order' | 'pay' | 'plink' | 'rfnd' | 'disp'): string {
  const bytes = crypto.getRandomValues(new Uint8Array(11))
  return `${prefix}_EMU${Array.from(bytes, (byte) => LETTERS.charAt(byte % LETTERS.length)).join('')}`
}

/** A token pack of USD 25.00 that a user ordered and has not paid. Its price is not the catalogue's: a new one fails no test of it. */
export async function createPurchase(
  ctx: Context,
  userId: string,
  overrides: Partial<typeof purchases.$inferInsert> = {},
): Promise<Purchase> {
  const id = ctx.newId('pur')
  const { rows } = await ctx.db.batch({
    purchase: ctx.db.insert(purchases).values({
      id,
      userId,
      sku: 'token_pack',
      kind: 'token_pack',
      tokens: 1_000_000,
      accessDays: 0,
      amountMinor: 2_500,
      currency: 'USD',
      paymentMode: 'emulator',
      channel: 'checkout',
      createdAt: ctx.now,
      updatedAt: ctx.now,
      status: 'open',
      razorpayOrderId: providerId('order'),
      ...overrides,
    }),
    rows: ctx.db.select().from(purchases).where(eq(purchases.id, id)),
  })
  const [purchase] = rows
  if (purchase === undefined) throw new Error('the purchase was not stored')
  return purchase
}

/** A purchase, by default a token pack, with facts about it settled; by default it is paid. */
export async function settledPack(
  ctx: Context,
  userId: string,
  overrides: Parameters<typeof createPurchase>[2] = {},
  factsAbout: (pack: Purchase) => Partial<Facts> = (pack) => ({ payments: [paymentFor(pack)] }),
): Promise<Purchase> {
  const pack = await createPurchase(ctx, userId, overrides)
  await settle(ctx, pack, factsOf(factsAbout(pack)))
  return pack
}

/** The payment that matches a purchase, captured unless overridden. */
export function paymentFor(purchase: Purchase, overrides: Partial<PaymentFact> = {}): PaymentFact {
  return {
    paymentId: providerId('pay'),
    razorpayOrderId: purchase.razorpayOrderId ?? purchase.razorpayLinkOrderId ?? '',
    amountMinor: purchase.amountMinor,
    currency: purchase.currency,
    status: 'captured',
    amountRefundedMinor: 0,
    method: 'card',
    errorReason: null,
    isInternational: null,
    payerEmail: null,
    beganAt: 1,
    ...overrides,
  }
}

export function refundOf(
  payment: PaymentFact,
  overrides: Partial<RefundOrDispute> = {},
): RefundOrDispute {
  return {
    id: providerId('rfnd'),
    kind: 'refund',
    paymentId: payment.paymentId,
    amountMinor: payment.amountMinor,
    currency: payment.currency,
    state: 'final',
    phase: null,
    respondBy: null,
    beganAt: 1,
    asOf: null,
    reason: null,
    ...overrides,
  }
}

/** The state of a purchase: the columns that tests compare. */
export async function outcomeOf(ctx: Context, { id, userId }: Pick<Purchase, 'id' | 'userId'>) {
  const { db } = ctx
  const { balance, sums, mails, ...rows } = await db.batch({
    ...stateStatements(ctx, onePurchase(id)),
    balance: db.select().from(balances).where(eq(balances.userId, userId)),
    sums: db
      .select({ sum: sql<number>`coalesce(sum(${ledger.tokens}), 0)` })
      .from(ledger)
      .where(eq(ledger.userId, userId)),
    mails: db.all<{ id: string }>(sql`SELECT id FROM mails WHERE user_id = ${userId} ORDER BY id`),
  })
  const [loaded] = statesOf(rows)
  if (loaded === undefined) throw new Error(`there is no purchase ${id}`)
  const { purchase, grant, receipt, pendingRefunds } = loaded.state
  const { total = 0, used = 0 } = balance[0] ?? {}
  return {
    status: purchase.status,
    nextCheckAt: purchase.nextCheckAt,
    grants: grant === null ? 0 : 1,
    receipts: receipt === null ? 0 : 1,
    owed: pendingRefunds.map(({ reason, doneAt }) => ({ reason, isDone: doneAt !== null })),
    /** Tokens that are due back and were used. */
    shortfall: tokensDue(loaded.state) - (grant?.reversed ?? 0),
    total,
    used,
    left: total - used,
    ledgerSum: sums[0]?.sum,
    mails: mails.map((mail) => mail.id.split(':')[0]),
  }
}

/** An account with an unpaid purchase, and functions to settle facts about it. */
export async function openUnpaidPurchase(
  overrides: Parameters<typeof createPurchase>[2] = {},
  world: World = createWorld(),
) {
  const claims = await createAccount(world.ctx())
  const purchase: Purchase = await createPurchase(world.ctx(), claims.userId, overrides)
  return {
    world,
    claims,
    purchase,
    read: world.read,
    /** Settles these facts a second later. */
    report: (parts: Partial<Facts>) => {
      world.advance(1_000)
      return settle(world.ctx(), purchase, factsOf(parts))
    },
    outcome: () => outcomeOf(world.ctx(), purchase),
  }
}
