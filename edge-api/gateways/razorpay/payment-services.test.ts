import { expect, test } from 'vitest'
import { testSecrets } from '#harness/services.ts'
import { createFixture } from '#harness/fixture/fixture.ts'
import { paymentServices } from './razorpay-gateway.ts'

const ADDRESSES = {
  RAZORPAY_BASE_URL: 'http://127.0.0.1:9',
  RAZORPAY_CHECKOUT_URL: 'http://127.0.0.1:9/checkout.js',
}

function open(env: Parameters<typeof paymentServices>[0]) {
  const { ctx, alerts } = createFixture()
  return { ...paymentServices(env, ctx().log), alerts }
}

test('settings that fit open the gateway in their mode', () => {
  const { payments, paymentMode, alerts } = open({
    ENVIRONMENT: 'local',
    ...testSecrets,
    ...ADDRESSES,
  })
  expect(payments).toMatchObject({
    keyId: testSecrets.RAZORPAY_KEY_ID,
    checkoutScript: ADDRESSES.RAZORPAY_CHECKOUT_URL,
  })
  expect([paymentMode, alerts]).toEqual(['emulator', []])
})

test.each([
  ['production', testSecrets.RAZORPAY_KEY_ID, 'live'],
  [undefined, '', 'live'],
  ['moon', '', 'live'],
  ['staging', '', 'test'],
  ['development', 'rzp_test_abc', 'test'],
  ['test', '', 'emulator'],
  ['local', 'rzp_test_EMU', 'emulator'],
] as const)(
  'in %s with the key id "%s", which is wrong there, the balances are those of the mode %s and nothing is sold',
  async (ENVIRONMENT, RAZORPAY_KEY_ID, mode) => {
    const { payments, paymentMode, alerts } = open({ ENVIRONMENT, RAZORPAY_KEY_ID })
    expect([payments.keyId, paymentMode]).toEqual(['', mode])
    expect(alerts).toMatchObject([
      {
        event: 'payments are not configured',
        fields: { reason: expect.stringContaining('RAZORPAY_KEY_ID') },
      },
    ])
    const refused = { code: 'NOT_CONFIGURED' }
    await expect(payments.fetchReceipt('order_x')).rejects.toMatchObject(refused)
    expect(() => payments.readEvent('{}')).toThrow(expect.objectContaining(refused))
  },
)
