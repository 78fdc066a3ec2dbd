import { expect, test } from 'vitest'
import { aCheckout } from '../../tests/support/purchase.ts'
import { createStoreWorld } from '../../tests/support/store-world.ts'
import { createWidget } from '../../tests/support/widget.ts'
import { PURCHASE } from '../contract/messages.ts'
import { createTokenOrderEndpoint } from '../contract/purchase.ts'
import { createTokenPurchase } from './token-purchase.ts'

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
  'a payment window that fails to come up is told like a script that did not load: %o',
  async (widget) => {
    const { server, ...world } = await createStoreWorld({ isSignedIn: true, widget })
    const purchase = createTokenPurchase({
      ...world,
      sellerName: 'Sotto',
      onPaid: () => undefined,
    })
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
