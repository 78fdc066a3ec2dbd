import type { Context } from 'hono'
import { Hono } from 'hono'
import { z } from 'zod'
import { badRequest, unknownId } from '../api-error.ts'
import { getOrder } from '../order/read-orders.ts'
import { beginPayment } from '../payment/begin-payment.ts'
import { completeAttempt } from '../payment/complete-attempt.ts'
import { Instrument, methodsFor } from '../payment/instrument.ts'
import { getPayment } from '../payment/read-payments.ts'
import { isPresetName, presetNames, presets } from '../scenario/presets.ts'
import type { PaymentRecord } from '../state/state.ts'
import type { Step } from '../state/step.ts'
import type { World } from '../world.ts'

const Order = z.object({
  key: z.string(),
  order_id: z.string(),
  amount: z.unknown().optional(),
  currency: z.unknown().optional(),
})

const Payment = Order.extend({
  instrument: Instrument,
  buyer: z
    .object({
      email: z.string().optional(),
      contact: z.string().optional(),
      description: z.string().optional(),
      notes: z.record(z.string(), z.unknown()).optional(),
    })
    .default({}),
})

/** Parses what the checkout frame sends; JSON only, so that no foreign page can send it unasked. */
async function read<Schema extends z.ZodType>(c: Context, schema: Schema) {
  if (!c.req.header('content-type')?.startsWith('application/json')) {
    throw badRequest('The body must be JSON.')
  }
  const parsed = schema.safeParse(await c.req.json().catch(() => null))
  if (!parsed.success) throw badRequest(z.prettifyError(parsed.error))
  return parsed.data
}

function orderOf(world: World, claim: z.infer<typeof Order>) {
  if (claim.key !== world.config.keyId) throw unknownId()
  return getOrder(world, claim.order_id)
}

type Next = { next: 'steps'; steps: Step[] } | { next: 'otp' | 'upi' | 'bank'; payment_id: string }

function nextFor(world: World, payment: PaymentRecord): Next {
  const { id, method, upi } = payment.entity
  const { doom } = payment
  if (method === 'netbanking' || method === 'wallet' || method === 'paypal') {
    return { next: 'bank', payment_id: id }
  }
  if (method === 'upi' && upi?.flow !== 'collect') return { next: 'upi', payment_id: id }
  if (doom !== null && doom !== 'authentication_failed') {
    return {
      next: 'steps',
      steps: completeAttempt(world, payment, { kind: 'failure', reason: doom }),
    }
  }
  if (method === 'card') return { next: 'otp', payment_id: id }
  return { next: 'steps', steps: completeAttempt(world, payment, { kind: 'success' }) }
}

function answerOtp(world: World, payment: PaymentRecord, otp: string): Step[] {
  const isGood = /^\d{4,10}$/.test(otp) && payment.doom === null
  return completeAttempt(
    world,
    payment,
    isGood ? { kind: 'success' } : { kind: 'failure', reason: 'authentication_failed' },
  )
}

/** What the checkout frame asks of the emulator. `runDue` sends webhooks that must be first. */
export function checkoutApiRoutes(world: World, runDue: () => Promise<void>): Hono {
  const app = new Hono()

  app.post('/open', async (c) => {
    const claim = await read(c, Order)
    const { id, amount, currency, status } = orderOf(world, claim).entity
    const methods = methodsFor(currency, world.state.settings.paypal)
    return c.json({ order: { id, amount, currency, status }, methods, presets: presetNames })
  })

  app.post('/pay', async (c) => {
    const request = await read(c, Payment)
    const order = orderOf(world, request)
    const begun = beginPayment(world, order, request.instrument, request.buyer, request)
    if (!begun.payment) return c.json({ next: 'steps', steps: begun.steps })
    const next = nextFor(world, begun.payment)
    await runDue()
    return c.json(next)
  })

  app.post('/otp', async (c) => {
    const { payment_id, otp } = await read(c, z.object({ payment_id: z.string(), otp: z.string() }))
    const steps = answerOtp(world, getPayment(world, payment_id), otp)
    await runDue()
    return c.json({ next: 'steps', steps })
  })

  // In test mode a UPI payment succeeds also when the buyer cancels it: kept, since tests meet it.
  app.post('/upi', async (c) => {
    const { payment_id } = await read(c, z.object({ payment_id: z.string() }))
    const steps = completeAttempt(world, getPayment(world, payment_id), { kind: 'success' })
    await runDue()
    return c.json({ next: 'steps', steps })
  })

  app.post('/preset', async (c) => {
    const request = await read(c, Order.extend({ name: z.string() }))
    if (!isPresetName(request.name)) throw badRequest('There is no such preset')
    const steps = presets[request.name](world, orderOf(world, request))
    await runDue()
    return c.json({ next: 'steps', steps })
  })

  app.get('/payment/:id', (c) => {
    const { steps, entity } = getPayment(world, c.req.param('id'))
    return c.json({ status: entity.status, steps })
  })

  return app
}
