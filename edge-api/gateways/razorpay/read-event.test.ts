import { expect, test } from 'vitest'
import { factsOf } from '../../domain/ports/payments.ts'
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

const factsIn = (name: string, payload: Record<string, unknown>) =>
  readEvent(event(name, payload), 'emulator').facts

test.each([
  [{}, { status: 'captured', amountMinor: 3_500, amountRefundedMinor: 0, method: 'card' }],
  [{}, { isInternational: null, payerEmail: null }],
  [{ email: 'payer@example.test' }, { payerEmail: 'payer@example.test' }],
  [{ status: 'authorized' }, { status: 'authorized' }],
  [{ status: 'failed' }, { status: 'failed' }],
  // Money is captured only when both fields say so.
  [{ captured: false }, { status: 'authorized', amountRefundedMinor: 0 }],
  [{ captured: null }, { status: 'authorized', amountRefundedMinor: 0 }],
  [{ captured: undefined }, { status: 'authorized', amountRefundedMinor: 0 }],
  [
    { status: 'refunded', amount_refunded: 3_500 },
    { status: 'captured', amountRefundedMinor: 3_500 },
  ],
  // It was returned without a capture.
  [
    { status: 'refunded', captured: false },
    { status: 'authorized', amountRefundedMinor: 3_500 },
  ],
  // From before Razorpay counted refunds.
  [{ amount_refunded: undefined }, { amountRefundedMinor: 0 }],
])('a payment with %j is read as %j', (changes, fact) => {
  const facts = factsIn('payment.any', { payment: { ...payment, ...changes } })
  expect(facts?.payments).toMatchObject([fact])
})

test("a paid link's order is the payment's order, whatever the order entity says", () => {
  const facts = factsIn('payment_link.paid', {
    payment_link: { id: 'plink_EMUx2Y3z4A5b6C', reference_id: 'pur_x' },
    order: { id: 'a1B2c3D4e5F', receipt: 'pur_x' },
    payment,
  })
  expect(facts).toMatchObject({
    linkOrders: [{ linkId: 'plink_EMUx2Y3z4A5b6C', razorpayOrderId: 'order_EMUa1B2c3D4e5F' }],
    orders: [],
  })
})

test('a paid order names the purchase that is its receipt, and one without a receipt none', () => {
  const ordersOf = (receipt: string | null) =>
    factsIn('order.paid', { order: { id: payment.order_id, receipt }, payment })?.orders
  expect(ordersOf('pur_x')).toEqual([{ razorpayOrderId: payment.order_id, purchaseId: 'pur_x' }])
  expect(ordersOf(null)).toEqual([])
})

test('a payment without an order tells nothing, nor does the link that it paid', () => {
  const foreign = { ...payment, order_id: null }
  const link = { id: 'plink_EMUx2Y3z4A5b6C' }
  const facts = factsIn('payment_link.paid', { payment_link: link, payment: foreign })
  expect(facts).toMatchObject({ payments: [], linkOrders: [] })
})

const about = { payment_id: payment.id, amount: 500, currency: 'USD', created_at: 7 }

test.each([
  ['pending', 'pending'],
  ['processed', 'processed'],
  ['failed', 'failed'],
  ['reversed', 'failed'],
])('a refund that is %s there is %s here', (status, state) => {
  const refund = { ...about, id: 'rfnd_EMUk1L2m3N4o5P', status }
  expect(factsIn('refund.any', { refund, payment })?.refunds).toMatchObject([
    { state, amountMinor: 500, beganAt: 7_000 },
  ])
})

test.each([
  ['open', 'chargeback', undefined, 'open'],
  ['under_review', 'chargeback', undefined, 'open'],
  ['lost', 'chargeback', undefined, 'lost'],
  ['won', 'chargeback', undefined, 'won'],
  ['closed', 'chargeback', undefined, 'won'],
  // A question that is lost took nothing, unless money was deducted.
  ['lost', 'fraud', 0, 'won'],
  ['lost', 'fraud', 500, 'lost'],
])('a dispute that is %s there in phase %s, with %s deducted, is %s here', (...row) => {
  const [status, phase, amount_deducted, state] = row
  const dispute = { ...about, id: 'disp_EMUk1L2m3N4o5P', phase, respond_by: 9, status }
  const facts = factsIn('payment.dispute.any', { dispute: { ...dispute, amount_deducted } })
  expect(facts?.disputes).toMatchObject([{ state }])
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
  expect(readEvent(body, 'emulator').facts?.disputes).toEqual([
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
    },
  ])
})

test('a dispute that a bank reviews has no deadline any more', () => {
  const dispute = { ...about, id: 'disp_EMUk1L2m3N4o5P', phase: 'chargeback', respond_by: 9 }
  const respondBy = (status: string) =>
    factsIn('payment.dispute.any', { dispute: { ...dispute, status } })?.disputes[0]?.respondBy
  expect(['open', 'under_review'].map(respondBy)).toEqual([9_000, null])
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
  for (const odd of [{ amount: '3500' }, { currency: 'DOLLAR' }]) {
    const broken = event('payment.captured', { payment: { ...payment, ...odd } })
    expect(readEvent(broken, 'emulator')).toEqual({ name: 'payment.captured', facts: null })
  }
  for (const [kind, id] of [
    ['refund', 'disp_EMUk1L2m3N4o5P'],
    ['dispute', 'rfnd_EMUk1L2m3N4o5P'],
  ] as const) {
    const entity = {
      ...about,
      id,
      status: kind === 'refund' ? 'processed' : 'lost',
      phase: 'fraud',
    }
    expect(factsIn(`${kind}.any`, { [kind]: entity }), 'an id names its kind').toBeNull()
  }
  expect(factsIn('invoice.paid', { invoice: {} })).toEqual(factsOf({}))
})
