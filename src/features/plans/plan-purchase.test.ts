import { expect, test } from 'vitest'
import { aCheckout, aPayment, PURCHASE_ID } from '../../../tests/stores/samples.ts'
import { createStoreFixture } from '../../../tests/stores/store-fixture.ts'
import { createWidget } from '../../../tests/stores/widget.ts'
import { planAmountsEndpoint } from '../../contract/plans.ts'
import { PURCHASE } from '../../contract/messages.ts'
import {
  createOrderEndpoint,
  createSubscriptionEndpoint,
  paymentStatusEndpoint,
  verifyPaymentEndpoint,
} from '../../contract/purchase.ts'
import { purchasesEndpoint } from '../../contract/receipt.ts'
import type { Currency } from '../../contract/currency.ts'
import { createShownPurchase } from '../purchase/purchase-step.ts'
import { createPlanPurchase, type PlanOrder } from './plan-purchase.ts'

const PROOF = 'payment_id=pay_EMUp7Q8r9S0t1U&order_id=order_EMUa1B2c3D4e5F'
const NO_CONNECTION = 'We cannot reach the server. Check your connection and try again.'
const SUCCESS = `/subscription/success?${PROOF}&subscription_id=${PURCHASE_ID}&signature=${'a'.repeat(64)}`
/** The success page of a payment that the widget did not report. */
const FOUND = `/subscription/success?order_id=order_EMUa1B2c3D4e5F&subscription_id=${PURCHASE_ID}`
const RELOADED = { search: `?purchase=${PURCHASE_ID}` }

interface Start {
  hasWidget?: boolean
  search?: string
}

async function start({ hasWidget = true, search = '' }: Start = {}) {
  const widget = createWidget()
  const fixture = await createStoreFixture({
    path: '/subscription',
    guard: 'public',
    search,
    isSignedIn: true,
    widget: hasWidget ? widget.Widget : null,
  })
  fixture.server.answer(planAmountsEndpoint, { planAmounts: { pro: 40 } })
  const page = createShownPurchase()
  const purchase = createPlanPurchase(page)
  const buy = (planType: string, currency: Currency, order: PlanOrder = 'createOrder') =>
    purchase.buy({ planType, currency, price: 35 }, order)
  const subscribe = () => buy('pro', 'USD', 'createSubscription')
  const { resume } = purchase
  const { leaveQuestion } = page
  const state = () => page.$purchase.get()
  /** Orders, and waits until the window is open. */
  const order = async () => {
    fixture.server.answer(createOrderEndpoint, aCheckout())
    const bought = buy('pro', 'USD')
    await expect.poll(() => widget.opened.length).toBe(1)
    return { bought }
  }
  const orders = () =>
    fixture.server.requests.filter(({ path }) => path === createOrderEndpoint.path)
  /** What the purchase asks before it goes on. */
  const question = () => {
    const now = state()
    if (now.step === 'place' || now.step === 'twice') return now
    throw new Error(`it is ${now.step}`)
  }
  return {
    ...fixture,
    widget,
    buy,
    subscribe,
    resume,
    leaveQuestion,
    state,
    order,
    orders,
    question,
  }
}

test('the widget gets the order and the buyer, but no amounts, and UPI only when the server allows it', async () => {
  const { server, buy, widget } = await start()
  server.answer(createOrderEndpoint, aCheckout())
  server.answer(createOrderEndpoint, aCheckout({ upiEnabled: true }))
  server.answer(paymentStatusEndpoint, { payment: aPayment('pending') })
  for (const count of [1, 2]) {
    const bought = buy('pro', 'INR')
    await expect.poll(() => widget.opened.length).toBe(count)
    widget.dismiss()
    await bought
  }
  const [usd, inr] = widget.opened
  expect(usd).toMatchObject({
    order_id: 'order_EMUa1B2c3D4e5F',
    name: 'Example',
    prefill: { name: 'ada', email: 'ada@example.test' },
    config: { display: { hide: [{ method: 'upi' }] } },
  })
  expect(usd).not.toHaveProperty('amount')
  expect(inr?.config.display.hide).toEqual([{ method: 'upi', flows: ['collect'] }])
  expect(usd).not.toHaveProperty('callback_url')
})

test('when the server must know the place first, the purchase asks for it and goes on', async () => {
  const { server, buy, widget, orders, question, said } = await start()
  const rejection = { success: false, code: 'BILLING_REQUIRED', message: '', requestId: 'r' }
  server.answerRaw(createOrderEndpoint, 409, JSON.stringify({ ...rejection, place: '96' }))
  server.answer(createOrderEndpoint, aCheckout())
  server.answer(paymentStatusEndpoint, { payment: aPayment('pending') })
  await buy('pro', 'USD')
  expect([question(), said()]).toMatchObject([{ step: 'place', guess: '96' }, []])
  question().again()
  await expect.poll(() => widget.opened.length).toBe(1)
  widget.dismiss()
  expect(orders().map(({ body }) => Object(body).preferredCurrency)).toEqual(['USD', 'USD'])
  // The order of the first key was refused, so the next order has a new key.
  expect(new Set(orders().map(({ headers }) => headers['idempotency-key'])).size).toBe(2)
})

test('when the buyer does not say the place, nothing is ordered', async () => {
  const { server, subscribe, leaveQuestion, state, question } = await start()
  server.refuse(createSubscriptionEndpoint, 'BILLING_REQUIRED', PURCHASE.billingRequired)
  await subscribe()
  const asked = question()
  expect(asked).toMatchObject({ step: 'place', guess: '' })
  leaveQuestion()
  // The place may be stored all the same: it was on its way.
  asked.again()
  expect(state()).toEqual({ step: 'idle' })
  const orders = server.requests.filter(({ path }) => path === createSubscriptionEndpoint.path)
  expect(orders.length).toBe(1)
})

test('while a payment is being confirmed, the purchase asks before it orders another', async () => {
  const { server, buy, leaveQuestion, widget, state, orders, question } = await start()
  const confirming = { ...aPayment('pending'), amount: 3_500, currency: 'USD' as const }
  const listed = { state: 'confirming', receiptNumber: null, amountRefunded: 0 } as const
  const nothing = { method: null, refundableUntil: null, refund: null }
  server.answer(purchasesEndpoint, {
    purchases: [{ ...confirming, ...listed, ...nothing }],
    nextCursor: null,
  })
  server.answer(createOrderEndpoint, aCheckout())
  server.answer(paymentStatusEndpoint, { payment: aPayment('pending') })
  await buy('pro', 'USD')
  const message = expect.stringContaining('A payment of $35.00 is being confirmed.')
  expect(state()).toMatchObject({ step: 'twice', message })
  leaveQuestion()
  await buy('pro', 'USD')
  expect(orders()).toEqual([])
  question().again()
  await expect.poll(() => widget.opened.length).toBe(1)
  widget.dismiss()
})

test('two clicks start one purchase, at the price on the card', async () => {
  const { server, buy, widget, order, orders } = await start()
  server.answer(paymentStatusEndpoint, { payment: aPayment('pending') })
  const [{ bought }] = await Promise.all([order(), buy('pro', 'USD')])
  widget.dismiss()
  await bought
  expect([orders().length, widget.opened.length]).toEqual([1, 1])
  expect(orders()[0]?.body).toMatchObject({ amount: 35 })
})

test('closing the window stops the purchase; a payment that arrives later is found', async () => {
  const { server, widget, order, state, went, advance, address } = await start()
  server.answer(paymentStatusEndpoint, { payment: aPayment('pending') })
  server.answer(paymentStatusEndpoint, { payment: aPayment('paid') })
  const { bought } = await order()
  widget.dismiss()
  await bought
  expect(state()).toEqual({ step: 'stopped', message: PURCHASE.windowClosed, isError: false })
  // Closing the window clears the query, so a reload shows nothing.
  expect(address.search).toBe('')
  await advance(2_000)
  await expect.poll(() => went).toEqual([FOUND])
})

test('the window is closed when our server knows of the payment, even if the widget does not report it', async () => {
  const { server, widget, order, went, advance } = await start()
  server.answer(paymentStatusEndpoint, { payment: aPayment('paid') })
  const { bought } = await order()
  await advance(5_000)
  await bought
  expect([widget.closed.length, went.length]).toEqual([1, 1])
})

test("the emulator's widget never opens for a real order", async () => {
  const { server, buy, state, widget } = await start()
  server.answer(createOrderEndpoint, aCheckout({ mode: 'live' }))
  await buy('pro', 'USD')
  expect([state().step, widget.opened.length]).toEqual(['stopped', 0])
})

test.each([
  { planType: 'gold', message: 'Invalid plan type: gold' },
  { planType: 'pro', message: 'Nothing was charged.' },
  { planType: 'pro', message: 'Failed to fetch plan amounts', nextStep: NO_CONNECTION },
])('a failed order shows: $message', async ({ planType, message, nextStep }) => {
  const { server, buy, state } = await start()
  server.refuse(createOrderEndpoint, 'PAYMENT_PROVIDER_UNAVAILABLE', 'Nothing was charged.')
  if (nextStep !== undefined) {
    server.forget(planAmountsEndpoint)
    server.cutOff(planAmountsEndpoint)
  }
  await buy(planType, 'USD')
  const shown = { message: `Error creating payment: ${message}`, nextStep }
  expect(state()).toEqual({ step: 'stopped', isError: true, ...shown })
})

test('an order whose answer was lost is sent again with the same idempotency key', async () => {
  const { server, buy, state, said, orders } = await start({ hasWidget: false })
  server.cutOff(createOrderEndpoint)
  server.answer(createOrderEndpoint, aCheckout())
  await buy('pro', 'USD')
  expect(state()).toMatchObject({
    message: 'Error creating payment: Failed to create payment order',
    nextStep: NO_CONNECTION,
  })
  expect(said()).toEqual(['error: Failed to create order'])
  await buy('pro', 'USD')
  await buy('pro', 'USD')
  const keys = orders().map(({ headers }) => headers['idempotency-key'])
  expect(keys[0]).toBe(keys[1])
  expect(keys[2]).not.toBe(keys[1])
})

const CANCEL = '/subscription/cancel?reason='
const NO = '&payment_id=pay_EMUp7Q8r9S0t1U&error=No.'

test.each([
  ['refused with a wrong signature', 'SIGNATURE_INVALID', `${CANCEL}verification_failed${NO}`],
  ['refused for another reason', 'NOT_FOUND', `${CANCEL}processing_error${NO}`],
  ['without an answer, which is asked for again there', null, SUCCESS],
  ['after too many calls of others, as well', 'RATE_LIMITED', SUCCESS],
] as const)('a confirmation %s opens its page', async (_, code, page) => {
  const { server, widget, order, went } = await start()
  if (code === null) server.cutOff(verifyPaymentEndpoint)
  else server.refuse(verifyPaymentEndpoint, code, 'No.')
  const { bought } = await order()
  widget.pay()
  await bought
  expect(went).toEqual([page])
})

test('a failed subscription shows the fixed message', async () => {
  const { server, subscribe, state, said } = await start()
  server.answerRaw(createSubscriptionEndpoint, 500, '')
  await subscribe()
  expect(said()).toEqual(['error: Failed to create subscription'])
  expect(state()).toMatchObject({
    message: 'Error creating subscription: Failed to create subscription',
  })
})

test.each([
  { status: 'open', settlement: 'pending', message: PURCHASE.notPaid },
  { status: 'attempted', settlement: 'failed', message: PURCHASE.notPaid },
  // An earlier payment failed, and a signature proves a later one.
  { status: 'attempted', settlement: 'pending', message: PURCHASE.confirming },
  { status: 'authorized', settlement: 'pending', message: PURCHASE.confirming },
] as const)(
  'after a reload, a purchase that is $status and $settlement shows its status; a payment that arrives later is found',
  async ({ status, settlement, message }) => {
    const { server, resume, state, went, advance } = await start(RELOADED)
    const payment = { ...aPayment(settlement), status, currency: 'INR' } as const
    server.answer(paymentStatusEndpoint, { payment })
    server.answer(paymentStatusEndpoint, { payment: aPayment('paid') })
    expect(await resume()).toBe('INR')
    expect(state()).toEqual({ step: 'stopped', message, isError: false })
    await advance(2_000)
    await expect.poll(() => went).toEqual([FOUND])
  },
)

test.each([
  { status: 'paid', message: PURCHASE.arrived },
  { status: 'refunded', message: PURCHASE.refunded },
] as const)('a reload after a purchase is $status says so once', async ({ status, message }) => {
  const { server, resume, state, went, address } = await start(RELOADED)
  server.answer(paymentStatusEndpoint, { payment: { ...aPayment(status), status } })
  expect(await resume()).toBeNull()
  expect(state()).toMatchObject({ step: 'stopped', message })
  expect([went, address.search]).toEqual([[], ''])
})

test.each(['', 'x', '../orders'])(
  'an invalid purchase id "%s" in the query makes no call',
  async (id) => {
    const { server, resume, state, address } = await start({
      search: `?purchase=${encodeURIComponent(id)}&a=b`,
    })
    await resume()
    expect([server.requests, state(), address.search]).toEqual([[], { step: 'idle' }, '?a=b'])
  },
)
