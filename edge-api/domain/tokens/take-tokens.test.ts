import { expect, test } from 'vitest'
import { createPurchase, paymentFor } from '../../../tests/harness/world/purchase.ts'
import { openPaid } from '../../../tests/harness/world/refund.ts'
import { callOf } from '../../../tests/harness/world/world.ts'
import type { Context } from '../context.ts'
import { factsOf } from '../ports/payments.ts'
import { settle } from '../purchase/settle.ts'
import { useTokensBatch } from './use-tokens.ts'

test('the answer tells the balance of the payment mode, and only a mail is left to do after it', async () => {
  const { world, claims } = await openPaid()
  const other = await openPaid(undefined, world)
  const live = world.ctxOf('live')
  const purchase = await createPurchase(live, claims.userId, { paymentMode: 'live' })
  await settle(live, purchase, factsOf({ payments: [paymentFor(purchase)] }))
  const waiting: unknown[] = []
  const send = async (ctx: Context, amount: number, caller = claims) => {
    const late = { ...ctx, waitUntil: (work: unknown) => waiting.push(work) }
    const body = { uses: [{ idempotencyKey: `use of ${amount}`, amount }] }
    const { results, tokens } = await useTokensBatch(late, { ...callOf(caller), body })
    return { ...tokens, outcome: results[0]?.outcome }
  }
  const total = 1_000_000
  expect(await send(live, 30)).toEqual({ used: 30, total, outcome: 'used' })
  expect(await send(world.ctx(), 20, other.claims)).toEqual({ used: 20, total, outcome: 'used' })
  expect(await send(world.ctx(), 10)).toEqual({ used: 10, total, outcome: 'used' })
  expect(await send(world.ctxOf('test'), 1)).toEqual({
    ...{ used: 0, total: 0, outcome: 'insufficient_tokens' },
  })
  expect(waiting).toHaveLength(0)
  // Now few are left, which is mailed.
  await send(live, 950_000)
  expect(waiting).toHaveLength(1)
})
