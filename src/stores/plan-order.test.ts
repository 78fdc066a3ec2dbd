import { expect, test } from 'vitest'
import { createStoreWorld } from '../../tests/support/store-world.ts'
import { planAmountsEndpoint } from '../contract/catalogue.ts'
import { createOrderEndpoint } from '../contract/purchase.ts'
import { createPlanOrder } from './plan-order.ts'

const nextStep = 'We cannot reach the server. Check your connection and try again.'

test("without a connection the next step stands beside the specification's sentence", async () => {
  const { server, ...world } = await createStoreWorld({ isSignedIn: true })
  const { order } = createPlanOrder(world)
  server.cutOff(planAmountsEndpoint)
  const message = 'Error creating payment: Failed to fetch plan amounts'
  expect(await order('pro', 'USD')).toEqual({ ok: false, message, nextStep })
})

test('what the server says of an order needs no next step of ours, its silence does', async () => {
  const { server, ...world } = await createStoreWorld({ isSignedIn: true })
  const { order } = createPlanOrder(world)
  server.answer(planAmountsEndpoint, { planAmounts: { pro: 35 } })
  server.refuse(createOrderEndpoint, 'PAYMENT_PROVIDER_UNAVAILABLE', 'Nothing was charged.')
  server.cutOff(createOrderEndpoint)
  const refused = { ok: false, message: 'Error creating payment: Nothing was charged.' }
  expect(await order('pro', 'USD')).toEqual(refused)
  expect(await order('pro', 'USD')).toEqual({
    ok: false,
    message: 'Error creating payment: Failed to create payment order',
    nextStep,
  })
})
