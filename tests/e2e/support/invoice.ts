import { changeRows } from '../../harness/fixture/rows.ts'
import { eq } from 'drizzle-orm'
import { users } from '../../../edge-api/db/schema/users.ts'
import { factsOf } from '../../../edge-api/domain/ports/payments.ts'
import { settle } from '../../../edge-api/domain/purchase/settle.ts'
import { BillingDetails } from '../../../src/contract/billing.ts'
import { EMAIL_MAX, NAME_MAX } from '../../../src/contract/limits.ts'
import { createUser } from '../../harness/user.ts'
import { createPurchase, paymentFor, refundOf } from '../../harness/fixture/purchase.ts'
import { TAX, taxed } from '../../harness/fixture/taxed.ts'
import { createFixture } from '../../harness/fixture/fixture.ts'

/** Words up to this length. */
const words = (length: number) => 'Sankaranarayanan Iyer and Daughters '.repeat(9).slice(0, length)

const BILLING = BillingDetails.parse({
  place: TAX.state,
  name: words(120).trim(),
  address: `${'Unit 12, Second Floor, Sampangi Rama Nagar, '.repeat(7).slice(0, 290)} ${'560027'}`,
  gstin: TAX.gstin,
})

/**
 * A user with a tax invoice: every text of the buyer is as long as allowed, with central and state tax, two credit notes,
 * and the longest id that Razorpay gives.
 */
export async function userWithInvoice() {
  const user = await createUser()
  const fixture = createFixture()
  const ctx = () => taxed(fixture.ctx())
  const [local, host] = [user.username.padEnd(64, 'x'), 'mail.'.repeat(40)]
  const email = `${local}@${host}`.slice(0, EMAIL_MAX - 'example.test'.length) + 'example.test'
  await changeRows(
    ctx().db,
    users,
    { email, emailKey: email, firstName: words(NAME_MAX), lastName: words(NAME_MAX) },
    eq(users.id, user.userId),
  )
  const purchase = await createPurchase(ctx(), user.userId, {
    currency: 'INR',
    amountMinor: 299_999,
    billing: JSON.stringify(BILLING),
  })
  const payment = paymentFor(purchase, { method: 'netbanking' })
  await settle(ctx(), purchase, factsOf({ payments: [payment] }))
  fixture.advance(1_000)
  const refunds = [77_777, 88_888].map((amountMinor) => refundOf(payment, { amountMinor }))
  await settle(ctx(), purchase, factsOf({ refunds }))
  return { ...user, email, path: `/receipt?id=${purchase.id}` }
}
