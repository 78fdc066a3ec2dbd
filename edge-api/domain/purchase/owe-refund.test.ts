import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createAccount } from '../../../tests/harness/world/account.ts'
import { refundOf } from '../../../tests/harness/world/purchase.ts'
import { openPaid } from '../../../tests/harness/world/refund.ts'

/** A paid plan, of which an operator gives a part of its money back. */
async function openGiving() {
  const paid = await openPaid()
  const given = () =>
    paid.world.read(`
      SELECT number, amount_minor AS amount FROM owed_refunds
      WHERE purchase_id = '${paid.purchase.id}' ORDER BY number`)
  return { ...paid, given }
}

type Giving = Awaited<ReturnType<typeof openGiving>>

const meanwhile: [string, (giving: Giving) => Promise<unknown>][] = [
  [
    'the bank disputes the payment in another currency',
    ({ payment, report }) =>
      report({
        refundsAndDisputes: [
          refundOf(payment, { kind: 'dispute', state: 'open', currency: 'EUR' }),
        ],
      }),
  ],
  [
    'the seller sends a part of it back',
    ({ payment, report }) => report({ payments: [{ ...payment, amountRefundedMinor: 100 }] }),
  ],
  [
    'the account is deleted',
    async ({ world, purchase }) => {
      await createAccount(world.ctx())
      await world.read(sql`UPDATE users SET deleted_at = 1 WHERE id = ${purchase.userId}`)
    },
  ],
]

test.each(meanwhile)('an operator gives nothing back when meanwhile %s', async (_what, change) => {
  const giving = await openGiving()
  const row = await giving.look()
  await change(giving)
  await giving.giveBack(500, row)
  expect(await giving.given()).toEqual([])
})

test('an operator gives nothing more while an earlier refund of the payment failed and is owed again', async () => {
  const giving = await openGiving()
  await giving.giveBack(500)
  const sent = refundOf(giving.payment, { amountMinor: 500 })
  await giving.report({ refundsAndDisputes: [sent] })
  const row = await giving.look()
  await giving.report({ refundsAndDisputes: [{ ...sent, state: 'undone' }] })
  await giving.giveBack(700, row)
  expect(await giving.given()).toEqual([{ number: 1, amount: 500 }])
})

test('all that is left of a payment can be given back, and not a paisa more', async () => {
  const giving = await openGiving()
  await giving.report({ payments: [{ ...giving.payment, amountRefundedMinor: 900 }] })
  const row = await giving.look()
  await giving.giveBack(299_001, row)
  expect(await giving.given()).toEqual([])
  await giving.giveBack(299_000, row)
  expect(await giving.given()).toEqual([{ number: 1, amount: 299_000 }])
})

test('used tokens of a goodwill refund are a shortfall at once', async () => {
  const giving = await openGiving()
  await giving.use(1_000_000)
  await giving.giveBack(299_900)
  expect(await giving.outcome()).toMatchObject({ left: 0, shortfall: 1_000_000 })
})
