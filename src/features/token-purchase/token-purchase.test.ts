import { expect, test } from 'vitest'
import { aCheckout, aPayment } from '../../../tests/stores/samples.ts'
import { createStoreFixture } from '../../../tests/stores/store-fixture.ts'
import { createWidget } from '../../../tests/stores/widget.ts'
import { PURCHASE } from '../../contract/messages.ts'
import {
  activateTokenPurchaseEndpoint,
  createTokenOrderEndpoint,
  paymentStatusEndpoint,
} from '../../contract/purchase.ts'
import { createTokenPurchase } from './token-purchase.ts'

const SERVER_AWAY = 'We cannot reach the server. Check your connection and try again.'

async function start() {
  const widget = createWidget()
  const fixture = await createStoreFixture({ isSignedIn: true, widget: widget.Widget })
  let paid = 0
  const purchase = createTokenPurchase({
    onPaid: () => {
      paid += 1
    },
  })
  const stopped = () => {
    const state = purchase.$purchase.get()
    return state.step === 'stopped' ? state.message : state.step
  }
  /** Orders, and waits until the window is open. */
  const order = async () => {
    fixture.server.answer(createTokenOrderEndpoint, aCheckout())
    const bought = purchase.buy('USD')
    await expect.poll(() => widget.opened.length).toBe(1)
    return { bought }
  }
  purchase.open()
  return { ...fixture, widget, purchase, stopped, order, paid: () => paid }
}

test.each([
  ['without an answer', null],
  ['after too many calls of others', 'RATE_LIMITED'],
] as const)(
  'an activation %s shows the fixed message, and the tokens are found when they arrive',
  async (_when, code) => {
    const { server, purchase, widget, order, paid, advance } = await start()
    server.answer(paymentStatusEndpoint, { payment: aPayment('paid') })
    if (code === null) server.cutOff(activateTokenPurchaseEndpoint)
    else server.refuse(activateTokenPurchaseEndpoint, code, 'Too many attempts.')
    const { bought } = await order()
    widget.pay()
    await bought
    expect(purchase.$purchase.get()).toEqual({
      step: 'stopped',
      isError: true,
      message: PURCHASE.tokenActivationFailed,
      nextStep: PURCHASE.doNotPayAgain,
    })
    await advance(2_000)
    await expect.poll(paid).toBe(1)
  },
)

test('the page does not poll after a refused activation', async () => {
  const { server, widget, order, stopped, paid, advance } = await start()
  server.answer(paymentStatusEndpoint, { payment: aPayment('paid') })
  server.refuse(activateTokenPurchaseEndpoint, 'SIGNATURE_INVALID', 'Payment verification failed')
  const { bought } = await order()
  widget.pay()
  await bought
  await advance(60_000)
  expect([stopped(), paid()]).toEqual([PURCHASE.tokenActivationFailed, 0])
})

test('a payment that still awaits confirmation is shown as such', async () => {
  const { server, widget, order, stopped, paid, advance } = await start()
  server.answer(activateTokenPurchaseEndpoint, { status: 'pending' })
  server.answer(paymentStatusEndpoint, { payment: aPayment('paid') })
  const { bought } = await order()
  widget.pay()
  await bought
  expect([stopped(), paid()]).toEqual([PURCHASE.confirming, 0])
  await advance(2_000)
  await expect.poll(paid).toBe(1)
})

test('a pack whose payment was refunded already is not announced', async () => {
  const { server, widget, order, stopped } = await start()
  server.answer(activateTokenPurchaseEndpoint, { status: 'refunded' })
  const { bought } = await order()
  widget.pay()
  await bought
  expect(stopped()).toBe(PURCHASE.refunded)
})

test('a failed order keeps the modal open, with the sentence of the server or of the specification', async () => {
  const { server, purchase, stopped } = await start()
  server.refuse(createTokenOrderEndpoint, 'PLAN_REQUIRED', 'You need an active plan.')
  server.cutOff(createTokenOrderEndpoint)
  for (const message of ['You need an active plan.', PURCHASE.tokenOrderFailed]) {
    await purchase.buy('USD')
    expect([stopped(), purchase.$isOpen.get()]).toEqual([message, true])
  }
  expect(purchase.$purchase.get()).toMatchObject({ isError: true, nextStep: SERVER_AWAY })
})

test('the modal cannot be closed during a purchase', async () => {
  const { server, purchase, widget, order } = await start()
  server.answer(paymentStatusEndpoint, { payment: aPayment('pending') })
  const { bought } = await order()
  purchase.cancel()
  expect(purchase.$isOpen.get()).toBe(true)
  widget.dismiss()
  await bought
})
