import type { Context } from 'hono'
import { Hono } from 'hono'
import { z } from 'zod'
import { badRequest, unknownId } from '../core/errors.ts'
import type { CheckoutStep, OrderRecord, PaymentRecord } from '../core/state.ts'
import type { World } from '../core/world.ts'
import { completeAttempt, failedStep, rejectionOf, startAttempt } from '../money/attempt.ts'
import type { FailureReason } from '../money/failure.ts'
import { NotesInput } from '../money/input.ts'
import { Instrument, methodsFor } from '../money/instrument.ts'
import { getOrder } from '../money/orders.ts'
import { getPayment } from '../money/payments.ts'
import { presetsFor, runPreset } from '../money/presets.ts'

/** The order, and the values that the page claims about it. */
const Claim = z.object({
  key: z.string(),
  order_id: z.string(),
  amount: z.unknown().optional(),
  currency: z.unknown().optional(),
})

const Payment = Claim.extend({
  instrument: Instrument,
  buyer: z
    .object({
      email: z.string().optional(),
      description: z.string().optional(),
      notes: NotesInput,
    })
    .optional(),
})

/** Parses the frame's requests. It takes JSON only, because another site cannot send it without a preflight. */
async function read<Schema extends z.ZodType>(c: Context, schema: Schema) {
  if (!c.req.header('content-type')?.startsWith('application/json')) {
    throw badRequest('The body must be JSON.')
  }
  const parsed = schema.safeParse(await c.req.json().catch(() => null))
  if (!parsed.success) throw badRequest(z.prettifyError(parsed.error))
  return parsed.data
}

function differs({ amount, currency }: z.output<typeof Claim>, { entity }: OrderRecord): boolean {
  return (
    (amount !== undefined && Number(amount) !== entity.amount) ||
    (currency !== undefined && currency !== entity.currency)
  )
}

type Next =
  { next: 'steps'; steps: CheckoutStep[] } | { next: 'otp' | 'upi' | 'bank'; payment_id: string }

/** The window's next step after the buyer chose an instrument: another question, or the end of the attempt. */
function nextFor(world: World, payment: PaymentRecord): Next {
  const { id, method } = payment.entity
  const { forcedFailure } = payment
  if (method === 'netbanking' || method === 'wallet') {
    return { next: 'bank', payment_id: id }
  }
  if (method === 'upi') return { next: 'upi', payment_id: id }
  if (forcedFailure !== null && forcedFailure !== 'authentication_failed') {
    return { next: 'steps', steps: completeAttempt(world, payment, { failure: forcedFailure }) }
  }
  return { next: 'otp', payment_id: id }
}

/** The calls of the checkout frame. */
export function checkoutRoutes(world: World): Hono {
  const app = new Hono()
  const orderOf = (claim: z.output<typeof Claim>) => {
    if (claim.key !== world.config.keyId) throw unknownId()
    return getOrder(world, claim.order_id)
  }

  app.post('/open', async (c) => {
    const order = orderOf(await read(c, Claim))
    const { id, amount, currency, status } = order.entity
    const methods = methodsFor(currency)
    const presets = presetsFor(world, order)
    return c.json({ order: { id, amount, currency, status }, methods, presets })
  })

  app.post('/pay', async (c) => {
    const { instrument, buyer, ...claim } = await read(c, Payment)
    const order = orderOf(claim)
    const rejection: FailureReason | null = differs(claim, order)
      ? 'order_amount_mismatch'
      : rejectionOf(world, order, instrument)
    if (rejection !== null) {
      return c.json({ next: 'steps', steps: [failedStep(rejection, { order_id: claim.order_id })] })
    }
    return c.json(nextFor(world, startAttempt(world, order, instrument, buyer)))
  })

  app.post('/otp', async (c) => {
    const { payment_id, otp } = await read(c, z.object({ payment_id: z.string(), otp: z.string() }))
    const payment = getPayment(world, payment_id)
    const isGood = /^\d{4,10}$/.test(otp) && payment.forcedFailure === null
    const outcome = isGood ? 'success' : { failure: 'authentication_failed' }
    return c.json({ next: 'steps', steps: completeAttempt(world, payment, outcome) })
  })

  // In Razorpay's test mode a UPI payment succeeds even when the buyer cancels it.
  app.post('/upi', async (c) => {
    const { payment_id } = await read(c, z.object({ payment_id: z.string() }))
    const steps = completeAttempt(world, getPayment(world, payment_id), 'success')
    return c.json({ next: 'steps', steps })
  })

  app.post('/preset', async (c) => {
    const { name, ...claim } = await read(c, Claim.extend({ name: z.string() }))
    return c.json({ next: 'steps', steps: runPreset(world, name, orderOf(claim)) })
  })

  app.get('/payment/:id', (c) => {
    const { steps, entity } = getPayment(world, c.req.param('id'))
    return c.json({ status: entity.status, steps })
  })

  return app
}
