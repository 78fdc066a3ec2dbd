import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  openUnpaidPurchase,
  paymentFor,
  providerId,
  refundOf,
} from '../../../tests/harness/world/purchase.ts'
import { factsOf, type Facts, type RefundOrDispute } from '../ports/payments.ts'

/** An event in the life of a purchase. Events happen in any order and any number of times. */
const Step = fc.oneof(
  fc.record({ kind: fc.constant('pay' as const) }),
  fc.record({
    kind: fc.constantFrom('refund' as const, 'dispute' as const),
    number: fc.integer({ min: 0, max: 2 }),
    state: fc.constantFrom('open' as const, 'final' as const, 'undone' as const),
    amountMinor: fc.integer({ min: 1, max: 2_500 }),
    asOf: fc.integer({ min: 1, max: 9 }),
  }),
  fc.record({ kind: fc.constant('use' as const), tokens: fc.integer({ min: 1, max: 600_000 }) }),
  fc.record({ kind: fc.constant('replay' as const), index: fc.nat({ max: 30 }) }),
)
type Step = typeof Step extends fc.Arbitrary<infer Value> ? Value : never

type Opened = Awaited<ReturnType<typeof openUnpaidPurchase>>

test('after any interleaving the balance is the sum of the ledger and never below zero', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(Step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const opened = await openUnpaidPurchase()
      const reported = await play(opened, steps)
      const before = await opened.outcome()
      for (const facts of reported) await opened.report(facts)
      expect({ ...(await opened.outcome()), nextCheckAt: before.nextCheckAt }).toEqual(before)
    }),
    { numRuns: 8, seed: 1 },
  )
})

async function play(opened: Opened, steps: readonly Step[]): Promise<Facts[]> {
  const payment = paymentFor(opened.purchase)
  const ids = Array.from({ length: 6 }, (_, index) => providerId(index < 3 ? 'rfnd' : 'disp'))
  const amounts = new Map<string, number>()
  const reported: Facts[] = []
  for (const step of steps) {
    if (step.kind === 'use') await tryToUse(opened, step.tokens)
    else {
      const facts =
        step.kind === 'replay' ? reported[step.index % (reported.length || 1)] : factsFor(step)
      if (facts !== undefined) {
        reported.push(facts)
        await opened.report(facts)
      }
    }
    await assertSound(opened)
  }
  return reported

  function factsFor(step: Exclude<Step, { kind: 'use' | 'replay' }>): Facts {
    if (step.kind === 'pay') return factsOf({ payments: [payment] })
    const id = ids[step.kind === 'refund' ? step.number : step.number + 3] ?? ''
    // A refund keeps its amount, however often it is reported.
    const amountMinor = amounts.get(id) ?? step.amountMinor
    amounts.set(id, amountMinor)
    const { kind, state, asOf } = step
    const refund: RefundOrDispute = refundOf(payment, { id, kind, state, asOf, amountMinor })
    return factsOf({ payments: [payment], refundsAndDisputes: [refund] })
  }
}

async function tryToUse({ world, claims }: Opened, tokens: number): Promise<void> {
  const { db, now, newId } = world.ctx()
  await db.batch([
    db.run(sql`
      INSERT INTO ledger (ref, user_id, kind, tokens, payment_mode, created_at)
      SELECT ${newId('use')}, user_id, 'use', ${-tokens}, payment_mode, ${now} FROM balances
      WHERE user_id = ${claims.userId} AND total - used >= ${tokens}`),
  ])
}

async function assertSound({ outcome }: Opened): Promise<void> {
  const { left, ledgerSum, total, used, shortfall, grants } = await outcome()
  expect(left).toBe(ledgerSum)
  expect(left).toBeGreaterThanOrEqual(0)
  expect(total).toBeLessThanOrEqual(1_000_000)
  expect(used).toBeGreaterThanOrEqual(0)
  expect(shortfall).toBeGreaterThanOrEqual(0)
  expect(grants).toBeLessThanOrEqual(1)
}
