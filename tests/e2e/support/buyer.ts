import { inject } from 'vitest'
import { createOrderEndpoint, verifyPaymentEndpoint } from '../../../src/contract/purchase.ts'
import { z } from '../../../src/contract/zod.ts'
import { newVisitor } from '../../harness/visitor.ts'
import { registeredPerson } from './person.ts'

const Paid = z.object({
  razorpay_payment_id: z.string(),
  razorpay_order_id: z.string(),
  razorpay_signature: z.string(),
})

/** A person with an active Pro plan, made by rows. */
export const personWithPlan = () => registeredPerson({ hasPlan: true })

/** The same bought through the API and the emulator, so that it is told by the bell and by mail. */
export async function personWhoPaid() {
  const person = await registeredPerson()
  const visitor = newVisitor(inject('siteUrl'))
  const bearer = person.token
  const order = await visitor.call(createOrderEndpoint.path, {
    json: { planType: 'pro', preferredCurrency: 'USD' },
    bearer,
  })
  const { order: made } = createOrderEndpoint.success.parse(order.body)
  const paid = await payAtEmulator(made.id)
  await visitor.call(verifyPaymentEndpoint.path, {
    json: {
      orderId: paid.razorpay_order_id,
      paymentId: paid.razorpay_payment_id,
      signature: paid.razorpay_signature,
    },
    bearer,
  })
  return person
}

/** Pays an order without a browser. */
export async function payAtEmulator(orderId: string) {
  const response = await fetch(new URL('/__emu/payments', inject('emulatorUrl')), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-emu-control': 'local' },
    body: JSON.stringify({ order_id: orderId, method: 'card', outcome: 'success' }),
  })
  return Paid.parse(await response.json())
}
