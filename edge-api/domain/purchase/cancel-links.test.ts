import { expect, test } from 'vitest'
import { PASSWORD } from '../../../tests/harness/user.ts'
import { cheapHash, createAccount } from '../../../tests/harness/fixture/account.ts'
import { emptyFixture } from '../../../tests/harness/fixture/empty-fixture.ts'
import { createPurchase, providerId } from '../../../tests/harness/fixture/purchase.ts'
import { callOf } from '../../../tests/harness/fixture/fixture.ts'
import type { purchases } from '../../db/schema/purchases.ts'
import { deleteAccount } from '../data-rights/delete-account.ts'
import { GatewayUnavailable } from '../ports/payments.ts'

test('the links of a deleted account that can still be paid are cancelled, each although another fails, and no others', async () => {
  const fixture = await emptyFixture()
  const claims = await createAccount(fixture.ctx(), { passwordHash: cheapHash() })
  const { userId } = claims
  const other = await createAccount(fixture.ctx())
  const linkExpiresAt = fixture.now() + 1
  const link = async (changes: Partial<typeof purchases.$inferInsert> = {}, owner = userId) => {
    const razorpayLinkId = providerId('plink')
    await createPurchase(fixture.ctx(), owner, { razorpayLinkId, linkExpiresAt, ...changes })
    return razorpayLinkId
  }
  const open = [
    await link(),
    await link({ status: 'attempted' }),
    await link({ status: 'expired' }),
  ]
  await createPurchase(fixture.ctx(), userId)
  await link({}, other.userId)
  await link({ linkExpiresAt: fixture.now() })
  await link({ paymentMode: 'live' })
  const over = await link()
  await fixture.read(`
    INSERT INTO payments (id, purchase_id, razorpay_order_id, amount_minor, currency, rank,
      created_at, updated_at)
    SELECT 'pay_EMU00000000001', id, 'order', 1, 'USD', 3, 1, 1 FROM purchases
    WHERE razorpay_link_id = '${over}'`)
  await fixture.read(`UPDATE purchases SET status = 'review' WHERE razorpay_link_id = '${over}'`)
  const cancelled: string[] = []
  const ctx = fixture.ctx()
  const cancelLink = (id: string) => {
    cancelled.push(id)
    return Promise.reject(new GatewayUnavailable('no answer'))
  }
  const call = { ...callOf(claims), body: { password: PASSWORD } }
  await deleteAccount({ ...ctx, payments: { ...ctx.payments, cancelLink } }, call)
  await fixture.drain()
  expect(cancelled.toSorted()).toEqual(open.toSorted())
})
