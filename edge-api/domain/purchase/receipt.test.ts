import { expect, test } from 'vitest'
import { emptyWorld } from '../../../tests/harness/world/empty-world.ts'
import { openUnpaidPurchase, paymentFor } from '../../../tests/harness/world/purchase.ts'
import { callOf } from '../../../tests/harness/world/world.ts'
import { getReceipt } from './receipts.ts'

test('a receipt keeps its seller and its line when the brand changes', async () => {
  const { world, claims, purchase, report } = await openUnpaidPurchase({}, await emptyWorld())
  await report({ payments: [paymentFor(purchase)] })
  const call = { ...callOf(claims), params: { purchaseId: purchase.id } }
  const { receipt } = await getReceipt(world.ctx(), call)
  const ctx = world.ctx()
  expect(receipt.seller).toEqual({ name: ctx.brand.legalEntity, email: ctx.brand.supportEmail })
  expect(receipt.lines[0]?.description).toContain(ctx.brand.productName)
  const brand = {
    ...ctx.brand,
    productName: 'Renamed',
    legalEntity: 'Another Company',
    supportEmail: 'other@example.test',
  }
  expect((await getReceipt({ ...world.ctx(), brand }, call)).receipt).toEqual(receipt)
})
