import { expect, test } from 'vitest'
import { readEvent } from './read-event.ts'

const payment = {
  id: 'pay_EMUp7Q8r9S0t1U',
  entity: 'payment',
  amount: 3_500,
  currency: 'USD',
  status: 'captured',
  captured: true,
  order_id: 'order_EMUa1B2c3D4e5F',
  amount_refunded: 0,
  method: 'card',
  error_reason: null,
  email: 'void@razorpay.com',
}

const event = (name: string, payload: Record<string, unknown>) =>
  JSON.stringify({
    entity: 'event',
    event: name,
    payload: Object.fromEntries(Object.entries(payload).map(([key, entity]) => [key, { entity }])),
    created_at: 1,
  })

const paymentOf = (changes: Record<string, unknown>) =>
  readEvent(event('payment.any', { payment: { ...payment, ...changes } }), 'emulator').facts
    ?.payments[0]

test('money is captured only when both fields say so', () => {
  expect(paymentOf({})).toMatchObject({
    status: 'captured',
    amountMinor: 3_500,
    amountRefundedMinor: 0,
    method: 'card',
    isInternational: null,
    payerEmail: null,
  })
  expect(paymentOf({ email: 'payer@example.test' })?.payerEmail).toBe('payer@example.test')
  expect(paymentOf({ status: 'authorized' })).toMatchObject({ status: 'authorized' })
  expect(paymentOf({ status: 'failed' })).toMatchObject({ status: 'failed' })
  for (const captured of [false, null, undefined]) {
    expect(paymentOf({ captured })).toMatchObject({ status: 'authorized', amountRefundedMinor: 0 })
  }
  expect(paymentOf({ status: 'refunded', amount_refunded: 3_500 })).toMatchObject({
    status: 'captured',
    amountRefundedMinor: 3_500,
  })
})

test('a payment from before Razorpay counted refunds has none, and a currency has three letters', () => {
  expect(paymentOf({ amount_refunded: undefined })).toMatchObject({ amountRefundedMinor: 0 })
  expect(paymentOf({ currency: 'DOLLAR' })).toBeUndefined()
})

test('a payment returned without a capture is not a refund', () => {
  expect(paymentOf({ status: 'refunded', captured: false })).toMatchObject({
    status: 'authorized',
    amountRefundedMinor: 3_500,
  })
})

test("a paid link's order is the payment's order, whatever the order entity says", () => {
  const body = event('payment_link.paid', {
    payment_link: { id: 'plink_EMUx2Y3z4A5b6C', reference_id: 'pur_x' },
    order: { id: 'a1B2c3D4e5F', receipt: 'pur_x' },
    payment,
  })
  expect(readEvent(body, 'emulator').facts).toMatchObject({
    linkOrders: [{ linkId: 'plink_EMUx2Y3z4A5b6C', razorpayOrderId: 'order_EMUa1B2c3D4e5F' }],
    orders: [],
  })
})

test('a paid order names the purchase that is its receipt, and one without a receipt none', () => {
  const ordersOf = (receipt: string | null) =>
    readEvent(
      event('order.paid', { order: { id: payment.order_id, receipt }, payment }),
      'emulator',
    ).facts?.orders
  expect(ordersOf('pur_x')).toEqual([{ razorpayOrderId: payment.order_id, purchaseId: 'pur_x' }])
  expect(ordersOf(null)).toEqual([])
})

test('a payment without an order tells nothing, nor does the link that it paid', () => {
  const foreign = { ...payment, order_id: null }
  const body = event('payment_link.paid', {
    payment_link: { id: 'plink_EMUx2Y3z4A5b6C' },
    payment: foreign,
  })
  expect(readEvent(body, 'emulator').facts).toMatchObject({ payments: [], linkOrders: [] })
})

test('refunds and disputes are read with their state', () => {
  const about = { payment_id: payment.id, amount: 500, currency: 'USD', created_at: 1 }
  const refund = { ...about, id: 'rfnd_EMUk1L2m3N4o5P' }
  const states = ['pending', 'processed', 'failed', 'reversed'].map(
    (status) =>
      readEvent(event('refund.any', { refund: { ...refund, status }, payment }), 'emulator').facts
        ?.refundsAndDisputes[0]?.state,
  )
  expect(states).toEqual(['open', 'final', 'undone', 'undone'])
  const began = event('refund.any', { refund: { ...refund, status: 'pending', created_at: 7 } })
  expect(readEvent(began, 'emulator').facts?.refundsAndDisputes).toMatchObject([
    { amountMinor: 500, respondBy: null, beganAt: 7_000, asOf: null },
  ])
  const dispute = { ...about, id: 'disp_EMUk1L2m3N4o5P', phase: 'chargeback', respond_by: 9 }
  const outcomes = ['open', 'under_review', 'lost', 'won', 'closed'].map(
    (status) =>
      readEvent(
        event('payment.dispute.any', { dispute: { ...dispute, status }, payment }),
        'emulator',
      ).facts?.refundsAndDisputes[0]?.state,
  )
  expect(outcomes).toEqual(['open', 'open', 'final', 'undone', 'undone'])
  // A question that is lost took nothing, unless money was deducted.
  for (const [amount_deducted, state] of [
    [0, 'undone'],
    [500, 'final'],
  ]) {
    const lost = { ...dispute, phase: 'fraud', status: 'lost', amount_deducted }
    const { facts } = readEvent(
      event('payment.dispute.lost', { dispute: lost, payment }),
      'emulator',
    )
    expect(facts?.refundsAndDisputes[0]?.state).toBe(state)
  }
})

test.each([
  ['retrieval', 0, 'inquiry'],
  ['retrieval', null, 'inquiry'],
  ['fraud', 0, 'inquiry'],
  ['fraud', 500, 'open'],
  ['chargeback', 0, 'open'],
  ['pre_arbitration', 0, 'open'],
  ['arbitration', 0, 'open'],
  ['a phase of tomorrow', 0, 'open'],
])('a dispute in the phase %s of which %s was deducted is %s', (phase, amount_deducted, state) => {
  const dispute = {
    id: 'disp_EMUk1L2m3N4o5P',
    payment_id: payment.id,
    amount: 500,
    currency: 'INR',
    amount_deducted,
    status: 'open',
    phase,
    respond_by: 1_790_000_000,
    created_at: 1_780_000_000,
  }
  const body = JSON.stringify({
    event: 'payment.dispute.created',
    created_at: 1_780_000_001,
    payload: { dispute: { entity: dispute } },
  })
  expect(readEvent(body, 'emulator').facts?.refundsAndDisputes).toEqual([
    {
      id: dispute.id,
      kind: 'dispute',
      paymentId: payment.id,
      amountMinor: 500,
      currency: 'INR',
      state,
      phase,
      respondBy: 1_790_000_000_000,
      beganAt: 1_780_000_000_000,
      asOf: 1_780_000_001_999,
      reason: null,
    },
  ])
})

test("the emulator's ids are ignored in live mode, also beside real ones", () => {
  const real = { ...payment, id: 'pay_Real56789abcde', order_id: 'order_Real56789abcde' }
  const read = (paid: typeof payment) =>
    readEvent(event('payment.captured', { payment: paid }), 'live').facts
  expect(read(payment)).toBeNull()
  expect(read({ ...real, order_id: payment.order_id })).toBeNull()
  expect(read(real)?.payments).toHaveLength(1)
})

test('an event of unknown shape has its name and no facts', () => {
  expect(readEvent('not json', 'emulator')).toEqual({ name: 'unreadable', facts: null })
  expect(readEvent('null', 'emulator')).toEqual({ name: 'unreadable', facts: null })
  const broken = event('payment.captured', { payment: { ...payment, amount: '3500' } })
  expect(readEvent(broken, 'emulator')).toEqual({ name: 'payment.captured', facts: null })
  expect(readEvent(event('invoice.paid', { invoice: {} }), 'emulator').facts).toEqual({
    orders: [],
    linkOrders: [],
    payments: [],
    refundsAndDisputes: [],
  })
})
