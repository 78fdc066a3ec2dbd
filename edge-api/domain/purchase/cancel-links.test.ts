import { expect, test } from 'vitest'
import { createAccount } from '../../../tests/harness/world/account.ts'
import { emptyWorld } from '../../../tests/harness/world/empty-world.ts'
import { createPurchase, providerId } from '../../../tests/harness/world/purchase.ts'
import type { purchases } from '../../db/schema/purchases.ts'
import { GatewayUnavailable } from '../ports/payments.ts'
import { cancelLinksOf } from './cancel-links.ts'

test('the links of an account that can still be paid are cancelled, each although another fails, and no others', async () => {
  const world = await emptyWorld()
  const { userId } = await createAccount(world.ctx())
  const other = await createAccount(world.ctx())
  const linkExpiresAt = world.now() + 1
  const link = async (changes: Partial<typeof purchases.$inferInsert> = {}, owner = userId) => {
    const razorpayLinkId = providerId('plink')
    await createPurchase(world.ctx(), owner, { razorpayLinkId, linkExpiresAt, ...changes })
    return razorpayLinkId
  }
  const open = [
    await link(),
    await link({ status: 'attempted' }),
    await link({ status: 'expired' }),
  ]
  await createPurchase(world.ctx(), userId)
  await link({}, other.userId)
  await link({ linkExpiresAt: world.now() })
  await link({ paymentMode: 'live' })
  const over = await link()
  const { db } = world.ctx()
  await db.batch([
    db.run(`
      INSERT INTO payments (id, purchase_id, razorpay_order_id, amount_minor, currency, rank,
        created_at, updated_at)
      SELECT 'pay_EMU00000000001', id, 'order', 1, 'USD', 3, 1, 1 FROM purchases
      WHERE razorpay_link_id = '${over}'`),
    db.run(`UPDATE purchases SET status = 'review' WHERE razorpay_link_id = '${over}'`),
  ])
  const cancelled: string[] = []
  const ctx = world.ctx()
  const cancelLink = (id: string) => {
    cancelled.push(id)
    return Promise.reject(new GatewayUnavailable('no answer'))
  }
  await cancelLinksOf({ ...ctx, payments: { ...ctx.payments, cancelLink } }, userId)
  expect(cancelled.toSorted()).toEqual(open.toSorted())
})
