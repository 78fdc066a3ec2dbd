import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { deskOf } from '../../../tests/harness/world/desk.ts'
import { createPurchase, paymentFor } from '../../../tests/harness/world/purchase.ts'
import { openPaid, PLAN_IN_INR } from '../../../tests/harness/world/refund.ts'
import { callOf } from '../../../tests/harness/world/world.ts'
import type { Context } from '../context.ts'
import { factsOf } from '../ports/payments.ts'
import { refundQuote } from '../purchase/ask-refund.ts'
import { settle } from '../purchase/settle.ts'
import { useTokens } from './use-tokens.ts'

/** Another purchase of an account, paid at this instant. */
async function buy(ctx: Context, userId: string) {
  const purchase = await createPurchase(ctx, userId, { paymentMode: ctx.paymentMode })
  await settle(ctx, purchase, factsOf({ payments: [paymentFor(purchase)] }))
  return purchase.id
}

async function grantTrial({ db, paymentMode, now }: Context, userId: string) {
  await db.batch([
    db.run(sql`UPDATE users SET email_verified_at = 1 WHERE id = ${userId}`),
    db.run(sql`
      INSERT INTO ledger (ref, user_id, kind, tokens, payment_mode, created_at)
      VALUES (${`trial:${userId}`}, ${userId}, 'trial', 20000, ${paymentMode}, ${now})`),
  ])
}

test('neither another account nor another payment mode changes what is unused of a grant', async () => {
  const paid = await openPaid()
  const { world, claims } = paid
  const other = await openPaid(PLAN_IN_INR, world)
  world.advance(1_000)
  await deskOf(world).carryOut({
    kind: 'adjust_tokens',
    userId: other.claims.userId,
    tokens: 50_000,
  })
  const live = world.ctxOf('live')
  const purchaseId = await buy(live, claims.userId)
  world.advance(1_000)
  await grantTrial(world.ctxOf('live'), claims.userId)
  await paid.use(100_000)
  await other.use(300_000)
  await useTokens(live, { ...callOf(claims), body: { amount: 5_000 } })
  expect(await paid.quote()).toMatchObject({ unusedTokens: 900_000 })
  expect(await other.quote()).toMatchObject({ unusedTokens: 700_000 })
  // The trial came later here, so the tokens of the grant went first.
  const { refund } = await refundQuote(live, { ...callOf(claims), params: { purchaseId } })
  expect(refund.unusedTokens).toBe(995_000)
})

test('of what came in one instant each token is unused once, and the trial goes first', async () => {
  const paid = await openPaid()
  const { world, claims, purchase } = paid
  const ids = [purchase.id, await buy(world.ctx(), claims.userId)]
  await grantTrial(world.ctx(), claims.userId)
  const unused = async () => {
    const quotes = ids.map((id) => paid.quote(id).catch(() => ({ unusedTokens: 0 })))
    return (await Promise.all(quotes))
      .map(({ unusedTokens }) => unusedTokens)
      .toSorted((a, b) => a - b)
  }
  await paid.use(20_000)
  expect(await unused()).toEqual([1_000_000, 1_000_000])
  await paid.use(300_000)
  expect(await unused()).toEqual([700_000, 1_000_000])
})
