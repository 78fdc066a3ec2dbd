import { expect, test } from 'vitest'
import { REFUND } from '../../../src/contract/refund.ts'
import { refundOf } from '../../../tests/harness/world/purchase.ts'
import { openPaid, PLAN_IN_INR } from '../../../tests/harness/world/refund.ts'

test('a bank decides alone over a payment while it disputes it, and after that over what it took', async () => {
  const paid = await openPaid()
  const dispute = refundOf(paid.payment, { kind: 'dispute', amountMinor: 100, asOf: 1 })
  const quoteAfter = async (state: 'inquiry' | 'open' | 'final' | 'undone', asOf: number) => {
    await paid.report({ refundsAndDisputes: [{ ...dispute, state, asOf }] })
    return paid.quote()
  }
  expect(await quoteAfter('inquiry', 1)).toMatchObject({ amount: 299_900 })
  await expect(quoteAfter('open', 2)).rejects.toThrow(REFUND.disputed)
  expect(await quoteAfter('undone', 3)).toMatchObject({ amount: 299_900 })
  expect(await quoteAfter('final', 4)).toMatchObject({ amount: 299_800 })
})

test('after a part was sent back the rest can be asked for, down to 1.00', async () => {
  const paid = await openPaid()
  const { payment, report } = paid
  const leave = (left: number) =>
    report({
      refundsAndDisputes: [
        refundOf(payment, { id: 'rfnd_EMU00000000001', amountMinor: 299_900 - left }),
      ],
    })
  await leave(100)
  expect(await paid.quote()).toMatchObject({ amount: 100 })
  await report({ refundsAndDisputes: [refundOf(payment, { amountMinor: 1 })] })
  await expect(paid.quote()).rejects.toThrow(REFUND.tooLittle)
})

test('the rest of a payment is the most that is refunded, though a part was too small to take a token', async () => {
  const paid = await openPaid({ ...PLAN_IN_INR, tokens: 1_000 })
  await paid.report({ refundsAndDisputes: [refundOf(paid.payment, { amountMinor: 100 })] })
  expect(await paid.quote()).toMatchObject({ unusedTokens: 1_000, amount: 299_800 })
})
