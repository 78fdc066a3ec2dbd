import { changeRows } from '../../harness/world/rows.ts'
import { eq } from 'drizzle-orm'
import { users } from '../../../edge-api/db/schema/users.ts'
import { factsOf } from '../../../edge-api/domain/ports/payments.ts'
import { settle } from '../../../edge-api/domain/purchase/settle.ts'
import { BillingDetails } from '../../../src/contract/billing.ts'
import { EMAIL_MAX, NAME_MAX } from '../../../src/contract/limits.ts'
import { createMember } from '../../harness/member.ts'
import { createPurchase, paymentFor, refundOf } from '../../harness/world/purchase.ts'
import { TAX, taxed } from '../../harness/world/taxed.ts'
import { createWorld } from '../../harness/world/world.ts'

/** Words up to this length. */
const words = (length: number) => 'Sankaranarayanan Iyer and Daughters '.repeat(9).slice(0, length)

const BILLING = BillingDetails.parse({
  place: TAX.state,
  name: words(120).trim(),
  address: `${'Unit 12, Second Floor, Sampangi Rama Nagar, '.repeat(7).slice(0, 290)} ${'560027'}`,
  gstin: TAX.gstin,
})

/**
 * A member with a tax invoice: every text of the buyer is as long as allowed, with central and state tax, two credit notes,
 * and the longest id that Razorpay gives.
 */
export async function memberWithInvoice() {
  const member = await createMember()
  const world = createWorld()
  const ctx = () => taxed(world.ctx())
  const [local, host] = [member.username.padEnd(64, 'x'), 'mail.'.repeat(40)]
  const email = `${local}@${host}`.slice(0, EMAIL_MAX - 'example.test'.length) + 'example.test'
  await changeRows(
    ctx().db,
    users,
    { email, emailKey: email, firstName: words(NAME_MAX), lastName: words(NAME_MAX) },
    eq(users.id, member.userId),
  )
  const purchase = await createPurchase(ctx(), member.userId, {
    currency: 'INR',
    amountMinor: 299_999,
    billing: JSON.stringify(BILLING),
  })
  const payment = paymentFor(purchase, { method: 'netbanking' })
  await settle(ctx(), purchase, factsOf({ payments: [payment] }))
  world.advance(1_000)
  const refunds = [77_777, 88_888].map((amountMinor) => refundOf(payment, { amountMinor }))
  await settle(ctx(), purchase, factsOf({ refundsAndDisputes: refunds }))
  return { ...member, email, path: `/receipt?id=${purchase.id}` }
}
