import { expect, test } from 'vitest'
import { emptyFixture } from '../../../tests/harness/fixture/empty-fixture.ts'
import { openUnpaidPurchase, paymentFor } from '../../../tests/harness/fixture/purchase.ts'
import { callOf } from '../../../tests/harness/fixture/fixture.ts'
import { getReceipt } from './receipts.ts'

test('a receipt keeps its seller and its line when the brand changes', async () => {
  const { fixture, claims, purchase, report } = await openUnpaidPurchase({}, await emptyFixture())
  await report({ payments: [paymentFor(purchase)] })
  const call = { ...callOf(claims), params: { purchaseId: purchase.id } }
  const { receipt } = await getReceipt(fixture.ctx(), call)
  const ctx = fixture.ctx()
  expect(receipt.seller).toEqual({ name: ctx.brand.legalEntity, email: ctx.brand.supportEmail })
  expect(receipt.lines[0]?.description).toContain(ctx.brand.productName)
  const brand = {
    ...ctx.brand,
    productName: 'Renamed',
    legalEntity: 'Another Company',
    supportEmail: 'other@example.test',
  }
  expect((await getReceipt({ ...fixture.ctx(), brand }, call)).receipt).toEqual(receipt)
})
