import { expect, test } from 'vitest'
import { memoryWorld } from '../../../tests/harness/world/memory-world.ts'
import {
  openUnpaidPurchase,
  paymentFor,
  providerId,
  refundOf,
} from '../../../tests/harness/world/purchase.ts'
import {
  GatewayRefused,
  GatewayUnavailable,
  type PaymentFact,
  type PaymentGateway,
  type RefundOrDispute,
} from '../ports/payments.ts'
import { days, hours } from '../time.ts'
import { auditPayments } from './audit-payments.ts'

/** What Razorpay lists and knows; it knows nothing else. */
interface Lists {
  payments?: PaymentFact[]
  refunds?: RefundOrDispute[]
  disputes?: RefundOrDispute[]
  isWhole?: boolean
  /** What it says of refunds and disputes that are asked for by their ids. */
  known?: RefundOrDispute[]
}

/** A world whose Razorpay answers from lists, and an audit of it. The payments are those of the first day. */
function openAudit(world = memoryWorld()) {
  const asked: Record<string, unknown[]> = {}
  const note = (name: string, ...given: unknown[]) => {
    asked[name] = [...(asked[name] ?? []), given.length === 1 ? given[0] : given]
  }
  const gatewayOf = (lists: Lists): Partial<PaymentGateway> => {
    const { isWhole = true, payments = [] } = lists
    const listed = <Item>(items: Item[] = []) => Promise.resolve({ items, isWhole })
    const byId = (id: string) => {
      const found = lists.known?.find((one) => one.id === id)
      return found ? Promise.resolve(found) : Promise.reject(new GatewayUnavailable('no answer'))
    }
    return {
      paymentsBetween: (from, to) => {
        note('payments', from, to)
        return listed(asked['payments']?.length === 1 ? payments : [])
      },
      refundsBetween: (from, to) => {
        note('refunds', from, to)
        return listed(lists.refunds)
      },
      disputesSince: (from) => {
        note('disputes', from)
        return listed(lists.disputes)
      },
      fetchRefund: (id) => {
        note('refund', id)
        return byId(id)
      },
      fetchDispute: (id) => {
        note('dispute', id)
        return byId(id)
      },
      fetchPayment: (id) => {
        const found = payments.find(({ paymentId }) => paymentId === id)
        return found ? Promise.resolve(found) : Promise.reject(new GatewayUnavailable('no answer'))
      },
      refundsOfPayment: () => Promise.resolve(lists.refunds ?? []),
      fetchOrder: () => Promise.reject(new GatewayRefused('unknown', 'no such order')),
    }
  }
  return {
    world,
    asked,
    audit: (lists: Lists = {}, since = world.now() - hours(1)) => {
      const ctx = world.ctx()
      const payments = { ...ctx.payments, ...gatewayOf(lists) }
      return auditPayments({ ...ctx, payments }, { since })
    },
  }
}

test('payments are listed day by day up to now, refunds for 30 days at least and disputes for 180', async () => {
  const { world, asked, audit } = openAudit()
  const now = world.now()
  await audit({}, now - days(2) - hours(1))
  const since = now - days(2) - hours(1)
  expect(asked['payments']).toEqual([
    [since, since + days(1)],
    [since + days(1), since + days(2)],
    [since + days(2), now],
  ])
  expect(asked['refunds']).toEqual([[now - days(30), now]])
  expect(asked['disputes']).toEqual([now - days(180)])
  const later = openAudit()
  await later.audit({}, later.world.now() - days(2))
  expect(later.asked['payments']).toHaveLength(2)
  const long = openAudit()
  const begin = long.world.now() - days(200)
  await long.audit({}, begin)
  expect(long.asked['refunds']).toEqual([[begin, long.world.now()]])
  expect(long.asked['disputes']).toEqual([begin])
})

test('what could not be listed whole is said, and all that was compared is counted', async () => {
  const { world, audit } = openAudit()
  const paid = await openUnpaidPurchase({}, world)
  const payment = paymentFor(paid.purchase)
  const refund = refundOf(payment, { amountMinor: 1_000, state: 'open' })
  await paid.report({ payments: [payment], refundsAndDisputes: [refund] })
  const sound = await audit({ payments: [payment], known: [refund] })
  expect(sound).toEqual({ compared: 2, found: [], foreign: [], failed: [], isWhole: true })
  const cut = await audit({ refunds: [refund], isWhole: false })
  expect(cut).toMatchObject({ compared: 1, isWhole: false })
  const alerts = world.alerts.filter(({ event }) => event === 'the audit did not see everything')
  expect(alerts.map(({ fields }) => fields['kind'])).toEqual(['payments', 'refunds', 'disputes'])
})

test('captured payments that are unaccounted for are settled in the order in which they came', async () => {
  const { world, audit } = openAudit()
  const [first, second] = [await openUnpaidPurchase({}, world), await openUnpaidPurchase({}, world)]
  const before = await openUnpaidPurchase({}, world)
  const settled = [paymentFor(before.purchase), paymentFor(before.purchase)]
  await before.report({ payments: settled })
  const older = paymentFor(first.purchase)
  const newer = paymentFor(second.purchase)
  const held = paymentFor((await openUnpaidPurchase({}, world)).purchase, { status: 'authorized' })
  const report = await audit({ payments: [held, newer, older] })
  expect(report).toMatchObject({ found: [older.paymentId, newer.paymentId], failed: [] })
  const receipts = world.read('SELECT purchase_id AS id FROM receipts ORDER BY number')
  expect(receipts.slice(1)).toEqual([{ id: first.purchase.id }, { id: second.purchase.id }])
  expect(world.alerts).toContainEqual({
    event: 'the audit found a payment unaccounted for',
    fields: expect.objectContaining({ id: older.paymentId, state: 'captured' }),
  })
})

test('a payment that grants or is owed back, and whose refunds are known, is accounted for', async () => {
  const { world, audit } = openAudit()
  const paid = await openUnpaidPurchase({}, world)
  const payment = paymentFor(paid.purchase)
  const wrong = paymentFor(paid.purchase, { amountMinor: 700 })
  await paid.report({ payments: [payment, wrong] })
  expect((await audit({ payments: [payment, wrong] })).found).toEqual([])
  const refunded = { ...payment, amountRefundedMinor: 500 }
  expect((await openAudit(world).audit({ payments: [refunded] })).found).toEqual([
    payment.paymentId,
  ])
  expect((await openAudit(world).audit({ payments: [refunded] })).found).toEqual([])
})

test('of refunds and disputes the unknown ones are found, and those that are further on than here', async () => {
  const { world, audit } = openAudit()
  const paid = await openUnpaidPurchase({}, world)
  const payment = paymentFor(paid.purchase)
  const of = (changes: Partial<RefundOrDispute>) =>
    refundOf(payment, { amountMinor: 1, ...changes })
  const dispute = { kind: 'dispute', asOf: 1 } as const
  const open = of({ state: 'open' })
  const final = of({ state: 'final' })
  const undone = of({ state: 'undone' })
  const question = of({ ...dispute, state: 'inquiry' })
  const won = of({ ...dispute, state: 'undone' })
  await paid.report({
    payments: [payment],
    refundsAndDisputes: [open, final, undone, question, won],
  })
  const foundOf = async (...listed: RefundOrDispute[]) => {
    const refunds = listed.filter(({ kind }) => kind === 'refund')
    const disputes = listed.filter(({ kind }) => kind === 'dispute')
    const known = [open, question]
    return (await openAudit(world).audit({ refunds, disputes, known })).failed
  }
  // Razorpay does not answer for the payment, so that what is found stays unsettled.
  const { paymentId } = payment
  expect(await foundOf(open, final, undone, question, won)).toEqual([])
  expect(await foundOf({ ...final, state: 'open' }, { ...undone, state: 'final' })).toEqual([])
  expect(await foundOf({ ...open, state: 'final' })).toEqual([paymentId])
  expect(await foundOf({ ...open, state: 'undone' })).toEqual([paymentId])
  expect(await foundOf({ ...final, state: 'undone' })).toEqual([paymentId])
  expect(await foundOf({ ...question, state: 'open' })).toEqual([paymentId])
  expect(await foundOf({ ...won, state: 'final' })).toEqual([paymentId])
  expect(await foundOf(of({}))).toEqual([paymentId])
  const foreign = { ...of({}), paymentId: providerId('pay') }
  expect(await foundOf(foreign)).toEqual([])
  expect((await audit({ payments: [payment], known: [open, question] })).failed).toEqual([])
})

test('what is open here and not listed is asked for by its id, of this payment mode alone', async () => {
  const { world, asked, audit } = openAudit()
  const paid = await openUnpaidPurchase({}, world)
  const live = await openUnpaidPurchase({ paymentMode: 'live' }, world)
  const payment = paymentFor(paid.purchase)
  const refund = refundOf(payment, { amountMinor: 1, state: 'open' })
  const listed = refundOf(payment, { amountMinor: 2, state: 'open' })
  const done = refundOf(payment, { amountMinor: 3 })
  const dispute = refundOf(payment, { kind: 'dispute', state: 'inquiry', amountMinor: 4, asOf: 1 })
  await paid.report({ payments: [payment], refundsAndDisputes: [refund, listed, done, dispute] })
  const other = paymentFor(live.purchase)
  const theirs = refundOf(other, { amountMinor: 5, state: 'open' })
  await live.report({ payments: [other], refundsAndDisputes: [theirs] })
  const { failed, compared } = await audit({ refunds: [listed], known: [refund] })
  expect(asked['refund']).toEqual([refund.id])
  expect(asked['dispute']).toEqual([dispute.id])
  expect(failed).toEqual([dispute.id])
  expect(world.alerts.map(({ event }) => event)).toContain(
    'a refund or dispute could not be audited',
  )
  expect(compared).toBe(2)
})

test('a payment that Razorpay does not answer for is reported as not settled', async () => {
  const { world, audit } = openAudit()
  const paid = await openUnpaidPurchase({}, world)
  const payment = paymentFor(paid.purchase)
  const refund = refundOf(payment, { amountMinor: 1 })
  await paid.report({ payments: [payment] })
  const { failed, found } = await audit({ refunds: [refund] })
  expect({ failed, found }).toEqual({ failed: [payment.paymentId], found: [] })
  expect(world.alerts.map(({ event }) => event)).toContain('a payment could not be audited')
})

test('a payment of an order that is not ours is one alert, and none where there is no such payment', async () => {
  const { world, audit } = openAudit()
  const foreign = { ...paymentFor((await openUnpaidPurchase({}, world)).purchase) }
  const payment = { ...foreign, razorpayOrderId: providerId('order') }
  const events = () => world.alerts.filter(({ event }) => event === 'money for an unknown order')
  await audit()
  expect(events()).toEqual([])
  const report = await openAudit(world).audit({ payments: [payment] })
  expect(report).toMatchObject({ foreign: [payment.paymentId], found: [] })
  expect(events()).toMatchObject([{ fields: { payments: 1, paymentIds: payment.paymentId } }])
})

test('a payment whose order Razorpay contradicts cannot be settled, and the next audit tries again', async () => {
  const { world, audit } = openAudit()
  const paid = await openUnpaidPurchase({}, world)
  const begun = paymentFor(paid.purchase, { status: 'created' })
  await paid.report({ payments: [begun] })
  const moved = { ...begun, status: 'captured' as const, razorpayOrderId: providerId('order') }
  expect(await audit({ payments: [moved] })).toMatchObject({
    found: [begun.paymentId],
    failed: [begun.paymentId],
  })
  expect(await paid.outcome()).toMatchObject({ grants: 0 })
})
