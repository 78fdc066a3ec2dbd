import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { emptyWorld } from '../../../tests/harness/world/empty-world.ts'
import { openUnpaidPurchase, paymentFor, refundOf } from '../../../tests/harness/world/purchase.ts'
import { openPaid, PLAN_IN_INR } from '../../../tests/harness/world/refund.ts'
import { callOf } from '../../../tests/harness/world/world.ts'
import { currentSubscription } from '../account/subscription.ts'
import type { PaymentFact, RefundOrDispute } from '../ports/payments.ts'

/** A paid token pack of USD 25.00, and a way to report a dispute of its payment. */
async function paidPack(payment: Partial<PaymentFact> = {}) {
  const opened = await openUnpaidPurchase({}, await emptyWorld())
  const paid = paymentFor(opened.purchase, payment)
  await opened.report({ payments: [paid] })
  const dispute = refundOf(paid, {
    kind: 'dispute',
    state: 'open',
    phase: 'chargeback',
    respondBy: Date.UTC(2026, 11, 1),
    beganAt: 2,
  })
  return {
    ...opened,
    paid,
    dispute,
    say: (changes: Partial<RefundOrDispute>) =>
      opened.report({ refundsAndDisputes: [{ ...dispute, ...changes }] }),
    /** The alerts since the last call. */
    alerts: () => opened.world.alerts.splice(0),
    mails: () =>
      opened.world.read(sql`
        SELECT to_address AS "to", payload ->> 'phase' AS phase, payload ->> 'state' AS state,
          payload ->> 'respondBy' AS respondBy
        FROM mails WHERE kind = 'dispute_for_team' AND payload ->> 'disputeId' = ${dispute.id}
        ORDER BY created_at`),
  }
}

test('a retrieval takes nothing, and the chargeback under the same id takes the tokens', async () => {
  const { say, outcome, alerts, mails, dispute, world } = await paidPack()
  await say({ state: 'inquiry', phase: 'retrieval' })
  expect(await outcome()).toMatchObject({ status: 'paid', left: 1_000_000 })
  await say({ state: 'inquiry', phase: 'retrieval' })
  await say({})
  expect(await outcome()).toMatchObject({ status: 'paid', left: 0 })
  const respondBy = dispute.respondBy ?? 0
  expect(alerts()).toMatchObject([
    {
      event: 'a payment is disputed',
      fields: { phase: 'retrieval', respondBy: new Date(respondBy).toISOString() },
    },
    {
      event: 'a payment is disputed',
      fields: { phase: 'chargeback', state: 'open', amount: 'USD 25.00' },
    },
  ])
  const to = world.ctx().brand.supportEmail
  expect(await mails()).toEqual([
    { to, phase: 'retrieval', state: 'inquiry', respondBy },
    { to, phase: 'chargeback', state: 'open', respondBy },
  ])
})

test('a dispute that was won is opened again and lost under the same id', async () => {
  const { say, outcome, alerts } = await paidPack()
  await say({})
  await say({ state: 'undone' })
  expect(await outcome()).toMatchObject({ status: 'paid', left: 1_000_000 })
  await say({ state: 'open', phase: 'pre_arbitration' })
  expect(await outcome()).toMatchObject({ status: 'paid', left: 0 })
  await say({ state: 'final', phase: 'pre_arbitration' })
  expect(await outcome()).toMatchObject({ status: 'refunded', left: 0 })
  expect(alerts().map(({ fields }) => `${fields['phase']} ${fields['state']}`)).toEqual([
    'chargeback open',
    'chargeback undone',
    'pre_arbitration open',
    'pre_arbitration final',
  ])
})

test('a dispute in another currency takes the whole payment until it is won, and its alert says so', async () => {
  const { say, outcome, alerts } = await paidPack({ baseAmountMinor: 250_000, baseCurrency: 'INR' })
  await say({ amountMinor: 30_001, currency: 'INR' })
  expect(await outcome()).toMatchObject({ status: 'paid', left: 0 })
  const takes = 'the whole payment, because its currency is another'
  expect(alerts()).toMatchObject([{ fields: { amount: 'INR 300.01', takes } }])
  await say({ amountMinor: 30_001, currency: 'INR', state: 'undone' })
  expect(await outcome()).toMatchObject({ status: 'paid', left: 1_000_000 })
  await say({ amountMinor: 30_001, currency: 'INR', state: 'final' })
  expect(await outcome()).toMatchObject({ status: 'refunded', left: 0 })
})

test('a refund from before a lost dispute of the same amount is other money', async () => {
  const { say, paid, report, outcome } = await paidPack()
  await report({ refundsAndDisputes: [refundOf(paid, { amountMinor: 1_000, beganAt: 1 })] })
  await say({ amountMinor: 1_000, state: 'final' })
  expect(await outcome()).toMatchObject({ status: 'paid', left: 200_000 })
})

test('a lost dispute that Razorpay reports as a refund too is the same money', async () => {
  const { paid, dispute, say, report, outcome } = await paidPack()
  await say({ amountMinor: 500, state: 'final' })
  await report({
    refundsAndDisputes: [refundOf(paid, { amountMinor: 500, beganAt: dispute.beganAt })],
  })
  expect(await outcome()).toMatchObject({ status: 'paid', left: 800_000, shortfall: 0 })
})

test('money that brought nothing and was lost in a dispute is not in review any more', async () => {
  const { purchase, report, outcome } = await openUnpaidPurchase({}, await emptyWorld())
  const odd = paymentFor(purchase, { amountMinor: 2_400 })
  await report({ payments: [odd] })
  expect(await outcome()).toMatchObject({ status: 'review', owed: [{ isDone: false }] })
  await report({ refundsAndDisputes: [refundOf(odd, { kind: 'dispute' })] })
  expect(await outcome()).toMatchObject({ status: 'refunded', owed: [{ isDone: true }] })
})

/** A plan in INR. The buyer's bank took a seventh of it in a lost dispute. */
async function lostInPart() {
  const paid = await openPaid(PLAN_IN_INR)
  const dispute = refundOf(paid.payment, {
    kind: 'dispute',
    state: 'open',
    amountMinor: 42_843,
    beganAt: paid.world.now(),
  })
  const say = (state: RefundOrDispute['state']) =>
    paid.report({ refundsAndDisputes: [{ ...dispute, state }] })
  await say('open')
  await say('final')
  paid.world.advance(1_000)
  return { ...paid, say, rest: PLAN_IN_INR.amountMinor - 42_843 }
}

test('a plan after a lost dispute is a normal purchase: active, and its rest is refunded once', async () => {
  const { world, claims, payment, say, rest, quote, askAll, report, outcome } = await lostInPart()
  const { status } = (await currentSubscription(world.ctx(), callOf(claims))).subscription
  expect([status, await outcome()]).toMatchObject(['active', { status: 'paid', left: 857_143 }])
  expect(await quote()).toMatchObject({ unusedTokens: 857_143, amount: rest })
  await askAll()
  const isSent = async () => (await outcome()).owed.map(({ isDone }) => isDone)
  expect(await isSent()).toEqual([false])
  await report({
    refundsAndDisputes: [refundOf(payment, { amountMinor: rest, beganAt: world.now() })],
  })
  expect(await isSent()).toEqual([true])
  expect(await outcome()).toMatchObject({ status: 'refunded', left: 0, shortfall: 0 })
  // The bank gives back what it took. The rest was refunded already, and is not owed again.
  await say('undone')
  expect(await isSent()).toEqual([true])
  expect(await outcome()).toMatchObject({ status: 'refunded', left: 142_857, shortfall: 0 })
})

test('a debt after a lost dispute is other money than the dispute, even of the same amount', async () => {
  const { world, payment, giveBack, report, outcome } = await lostInPart()
  await giveBack(42_843)
  const sent = refundOf(payment, { amountMinor: 42_843, beganAt: world.now() })
  await report({ refundsAndDisputes: [sent] })
  expect(await outcome()).toMatchObject({ owed: [{ isDone: true }], left: 714_285 })
})
