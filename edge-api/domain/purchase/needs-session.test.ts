import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { openPaid } from '../../../tests/harness/world/refund.ts'
import { callOf } from '../../../tests/harness/world/world.ts'
import type { Claims } from '../account/signed.ts'
import type { Context } from '../context.ts'
import { listLedger } from '../tokens/list-ledger.ts'
import { showStatement } from '../tokens/show-statement.ts'
import { showUsage } from '../tokens/show-usage.ts'
import { refundQuote } from './ask-refund.ts'
import { listReceipts } from './list-receipts.ts'
import { paymentStatus } from './payment-status.ts'
import { getReceipt, listPurchases } from './purchase-history.ts'
import { activateSubscription, verifyPayment } from './verify-payment.ts'

type Ask = (ctx: Context, claims: Claims, purchaseId: string) => Promise<unknown>

const asks: [string, Ask][] = [
  [
    'a refund',
    (ctx, claims, purchaseId) => refundQuote(ctx, { ...callOf(claims), params: { purchaseId } }),
  ],
  [
    'a receipt',
    (ctx, claims, purchaseId) => getReceipt(ctx, { ...callOf(claims), params: { purchaseId } }),
  ],
  ['a status', (ctx, claims, id) => paymentStatus(ctx, { ...callOf(claims), params: { id } })],
  [
    'receipts',
    (ctx, claims) => listReceipts(ctx, { ...callOf(claims), query: { month: '2026-11' } }),
  ],
  ['purchases', (ctx, claims) => listPurchases(ctx, { ...callOf(claims), query: { limit: 5 } })],
  ['what was paid', (ctx, claims) => activateSubscription(ctx, callOf(claims))],
  [
    'a proof',
    (ctx, claims) =>
      verifyPayment(ctx, {
        ...callOf(claims),
        body: { orderId: '', paymentId: '', signature: '' },
      }),
  ],
  ['the ledger', (ctx, claims) => listLedger(ctx, { ...callOf(claims), query: { limit: 5 } })],
  ['the statement', (ctx, claims) => showStatement(ctx, { ...callOf(claims), query: {} })],
  ['the usage', (ctx, claims) => showUsage(ctx, { ...callOf(claims), query: { days: 7 } })],
]

test.each(asks)('with an ended session nobody is told of %s', async (_what, ask) => {
  const { world, claims, purchase } = await openPaid()
  const { db } = world.ctx()
  await db.batch([db.run(sql`UPDATE sessions SET ended_at = 1 WHERE id = ${claims.sessionId}`)])
  await expect(ask(world.ctx(), claims, purchase.id)).rejects.toMatchObject({
    code: 'UNAUTHENTICATED',
  })
})
