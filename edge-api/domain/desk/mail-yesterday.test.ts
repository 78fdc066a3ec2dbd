import { expect, test } from 'vitest'
import { mailsTo } from '../../../tests/harness/stored.ts'
import { createAccount } from '../../../tests/harness/world/account.ts'
import { emptyWorld } from '../../../tests/harness/world/empty-world.ts'
import { createPurchase, paymentFor, refundOf } from '../../../tests/harness/world/purchase.ts'
import { createWorld } from '../../../tests/harness/world/world.ts'
import { factsOf } from '../ports/payments.ts'
import { settle } from '../purchase/settle.ts'
import { days, hours } from '../time.ts'
import { mailYesterday } from './today.ts'

test("the operator gets one mail a day: yesterday's figures, and what has waited for longest without a customer's name", async () => {
  // The mail names what is oldest among all rows.
  const past = await emptyWorld({ now: Date.UTC(2020, 6, 7, 12) })
  const ctx = past.ctx()
  const { userId } = await createAccount(ctx)
  const purchase = await createPurchase(ctx, userId)
  const paid = paymentFor(purchase)
  const dispute = refundOf(paid, {
    kind: 'dispute',
    state: 'open',
    amountMinor: 100,
    beganAt: past.now(),
    respondBy: past.now() + days(3),
    phase: 'chargeback',
  })
  await settle(ctx, purchase, factsOf({ payments: [paid], refundsAndDisputes: [dispute] }))

  const next = createWorld({ now: past.now() + hours(15) + 1 })
  await mailYesterday(next.ctx())
  await mailYesterday(next.ctx())
  const { operatorEmail, productName } = ctx.brand
  const sent = await mailsTo(operatorEmail)
  const own = sent.filter(({ id }) => id === 'mail-day:2020-07-07')
  expect(own).toMatchObject([{ subject: `${productName} on 2020-07-07` }])
  const text = own[0]?.text ?? ''
  expect(text).toContain('USD: 1 sold for USD 25.00, USD 0.00 refunded')
  expect(text).toContain(
    'open dispute: since 7 July 2020, 12:00 UTC, answer by 10 July 2020, 12:00 UTC',
  )
  expect(text).not.toContain(dispute.id)
  expect(text).not.toContain('@example.test')
})
