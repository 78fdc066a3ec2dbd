import { expect, test } from 'vitest'
import { aCheckout, PURCHASE_ID } from '../../../tests/stores/samples.ts'
import { createStoreFixture } from '../../../tests/stores/store-fixture.ts'
import { createWidget } from '../../../tests/stores/widget.ts'
import { planAmountsEndpoint } from '../../contract/plans.ts'
import { PURCHASE } from '../../contract/messages.ts'
import {
  activateOrderPublicEndpoint,
  createOrderEndpoint,
  createTokenOrderEndpoint,
  paymentStatusEndpoint,
  verifyPaymentEndpoint,
} from '../../contract/purchase.ts'
import { createPlanPurchase } from '../plans/plan-purchase.ts'
import { createShownPurchase } from './purchase-step.ts'
import { createTokenPurchase } from '../token-purchase/token-purchase.ts'

function fault(): never {
  throw new Error('Please provide a valid key')
}

const { Widget } = createWidget()

class ThrowsWhenMade extends Widget {
  constructor(...options: ConstructorParameters<typeof Widget>) {
    super(...options)
    fault()
  }
}

class ThrowsWhenOpened extends Widget {
  override readonly open = fault
}

test.each([ThrowsWhenMade, ThrowsWhenOpened])(
  'a payment window that throws counts as a missing script: %o',
  async (widget) => {
    const { server } = await createStoreFixture({ isSignedIn: true, widget })
    const purchase = createTokenPurchase({ onPaid: () => undefined })
    server.answer(createTokenOrderEndpoint, aCheckout())
    await purchase.buy('USD')
    expect(purchase.$purchase.get()).toEqual({
      step: 'stopped',
      isError: true,
      message: PURCHASE.sdkMissing,
    })
    server.answer(createTokenOrderEndpoint, aCheckout())
    await purchase.buy('USD')
    expect(
      server.requests.filter(({ path }) => path === createTokenOrderEndpoint.path),
    ).toHaveLength(2)
  },
)

test('polling stops after signing out, and a payment that arrives is still reported', async () => {
  const widget = createWidget()
  const { server, ...fixture } = await createStoreFixture({
    path: '/subscription',
    guard: 'public',
    isSignedIn: true,
    widget: widget.Widget,
  })
  server.answer(planAmountsEndpoint, { planAmounts: { pro: 35 } })
  server.answer(createOrderEndpoint, aCheckout())
  server.refuse(paymentStatusEndpoint, 'UNAUTHENTICATED', 'Please sign in to continue.')
  server.refuse(verifyPaymentEndpoint, 'UNAUTHENTICATED', 'Please sign in to continue.')
  server.answer(activateOrderPublicEndpoint, { status: 'paid' })
  const bought = createPlanPurchase(createShownPurchase()).buy(
    { planType: 'pro', currency: 'USD', price: 35 },
    'createOrder',
  )
  await expect.poll(() => widget.opened.length).toBe(1)
  const asked = () =>
    server.requests.filter(({ path }) => path.endsWith(`/payment/status/${PURCHASE_ID}`)).length
  await fixture.advance(5_000)
  await expect.poll(() => fixture.session.$session.get().status).toBe('guest')
  await fixture.advance(5_000)
  widget.pay()
  await bought
  expect(asked()).toBe(1)
  expect(fixture.said()).toEqual([`success: ${PURCHASE.receivedSignedOut}`])
  expect(fixture.went).toHaveLength(1)
  expect(fixture.went[0]).toMatch(/^\/subscription\/success\?payment_id=.+signature=/)
})
