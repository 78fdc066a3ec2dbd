import { expect, test } from 'vitest'
import { aPayment, aPlan } from '../../../tests/stores/samples.ts'
import { createStoreFixture } from '../../../tests/stores/store-fixture.ts'
import { PURCHASE } from '../../contract/messages.ts'
import {
  activateOrderPublicEndpoint,
  activateSubscriptionEndpoint,
  paymentStatusEndpoint,
} from '../../contract/purchase.ts'
import { currentSubscriptionEndpoint } from '../../contract/subscription.ts'
import { CONFIRMED, createPurchaseConfirmation } from './purchase-confirmation.ts'

const SIGNED = `?payment_id=pay_EMUp7Q8r9S0t1U&order_id=order_EMUa1B2c3D4e5F&signature=${'a'.repeat(64)}`

async function start(search: string, isSignedIn = true) {
  const fixture = await createStoreFixture({ path: '/subscription/success', search, isSignedIn })
  const { $confirmation, confirm, stay } = createPurchaseConfirmation()
  return { ...fixture, confirm, stay, state: () => $confirmation.get() }
}

test('a signed order is confirmed without a token, and a buyer who stays is not redirected', async () => {
  const { server, confirm, stay, state, advance, went } = await start(SIGNED)
  server.answer(activateOrderPublicEndpoint, { status: 'paid' })
  await confirm()
  expect(server.requests.at(-1)?.headers.authorization).toBeUndefined()
  await advance(4_000)
  stay()
  await advance(10_000)
  expect(went).toEqual([])
  expect(state()).toMatchObject({ step: 'success', secondsLeft: null })
})

test('a failed call is shown as received, and checked again after 3 seconds', async () => {
  const { server, confirm, state, advance } = await start(SIGNED)
  server.cutOff(activateOrderPublicEndpoint)
  server.answer(currentSubscriptionEndpoint, aPlan())
  server.answer(paymentStatusEndpoint, { payment: aPayment('paid') })
  await confirm()
  expect(state()).toMatchObject({ message: PURCHASE.processing, isConfirmed: false })
  await advance(3_000)
  await expect.poll(() => state()).toMatchObject({ message: CONFIRMED, isConfirmed: true })
})

test('an active plan does not confirm a pending purchase', async () => {
  const { server, confirm, state, advance } = await start(SIGNED)
  server.answer(activateOrderPublicEndpoint, { status: 'pending' })
  server.answer(paymentStatusEndpoint, { payment: aPayment('pending') })
  server.answer(currentSubscriptionEndpoint, aPlan())
  await confirm()
  await advance(4_000)
  expect(state()).toMatchObject({ message: PURCHASE.processing, isConfirmed: false })
})

test('an unknown order, or one of another account, is reported as not found', async () => {
  const { server, confirm, state } = await start(SIGNED)
  server.answer(activateOrderPublicEndpoint, { status: 'pending' })
  server.refuse(paymentStatusEndpoint, 'NOT_FOUND', 'We could not find that purchase.')
  await confirm()
  expect(state()).toEqual({ step: 'error', message: PURCHASE.notFound })
})

test('subscription_id without order_id confirms the open purchase of the session', async () => {
  const { server, confirm, state } = await start('?subscription_id=sub_1')
  server.answer(activateSubscriptionEndpoint, { status: 'paid' })
  await confirm()
  expect(server.requests.at(-1)?.headers.authorization).toBe('Bearer the-token')
  expect(state()).toMatchObject({ step: 'success', isConfirmed: true })
})

test('who paid an older purchase through a link sees it as paid, though a newer one was declined', async () => {
  const { server, confirm, state } = await start(`?subscription_id=pur_${'0'.repeat(26)}`)
  server.answer(activateSubscriptionEndpoint, { status: 'failed' })
  server.answer(paymentStatusEndpoint, { payment: aPayment('paid') })
  await confirm()
  expect(state()).toMatchObject({ step: 'success', isConfirmed: true })
})

test('subscription_id without a session shows an error', async () => {
  const { confirm, state } = await start('?subscription_id=sub_1', false)
  await confirm()
  expect(state()).toEqual({
    step: 'error',
    message: 'No authentication token found for subscription activation',
  })
})

test.each([
  { settlement: 'review', message: PURCHASE.needsReview },
  { settlement: 'failed', message: PURCHASE.notPaid },
] as const)('a purchase that is $settlement is not shown as a success', async (row) => {
  const { server, confirm, state } = await start('?order_id=order_EMUa1B2c3D4e5F')
  server.answer(paymentStatusEndpoint, { payment: aPayment(row.settlement) })
  await confirm()
  expect(state()).toEqual({ step: 'error', message: row.message })
})

test('a refunded purchase is shown as refunded, also to a payer who is signed out', async () => {
  const { server, confirm, state, advance, went } = await start(SIGNED, false)
  server.answer(activateOrderPublicEndpoint, { status: 'refunded' })
  await confirm()
  expect(state()).toEqual({ step: 'refunded' })
  await advance(10_000)
  expect(went).toEqual([])
})

test('parameters without a value count as missing, and no call is made', async () => {
  const { server, confirm, state } = await start('?order_id=&payment_id=&subscription_id=')
  await confirm()
  expect(state()).toEqual({ step: 'error', message: PURCHASE.notFound })
  expect(server.requests).toEqual([])
})
