import { expect, test } from 'vitest'
import { PASSWORD } from '../../../tests/harness/member.ts'
import { cheapHash, createAccount } from '../../../tests/harness/world/account.ts'
import { emptyWorld } from '../../../tests/harness/world/empty-world.ts'
import { createPurchase, providerId } from '../../../tests/harness/world/purchase.ts'
import { callOf } from '../../../tests/harness/world/world.ts'
import type { purchases } from '../../db/schema/purchases.ts'
import { deleteAccount } from '../account/delete-account.ts'
import { GatewayUnavailable } from '../ports/payments.ts'

test('the links of a deleted account that can still be paid are cancelled, each although another fails, and no others', async () => {
  const world = await emptyWorld()
  const claims = await createAccount(world.ctx(), { passwordHash: cheapHash() })
  const { userId } = claims
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
  await world.read(`
    INSERT INTO payments (id, purchase_id, razorpay_order_id, amount_minor, currency, rank,
      created_at, updated_at)
    SELECT 'pay_EMU00000000001', id, 'order', 1, 'USD', 3, 1, 1 FROM purchases
    WHERE razorpay_link_id = '${over}'`)
  await world.read(`UPDATE purchases SET status = 'review' WHERE razorpay_link_id = '${over}'`)
  const cancelled: string[] = []
  const ctx = world.ctx()
  const cancelLink = (id: string) => {
    cancelled.push(id)
    return Promise.reject(new GatewayUnavailable('no answer'))
  }
  const call = { ...callOf(claims), body: { password: PASSWORD } }
  await deleteAccount({ ...ctx, payments: { ...ctx.payments, cancelLink } }, call)
  await world.drain()
  expect(cancelled.toSorted()).toEqual(open.toSorted())
})
