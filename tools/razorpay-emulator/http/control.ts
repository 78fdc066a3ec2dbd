import type { Context } from 'hono'
import { Hono } from 'hono'
import { z } from 'zod'
import { badRequest } from '../core/errors.ts'
import { Method } from '../core/entity.ts'
import { FaultInput } from '../core/fault-rule.ts'
import { emptyState, Settings, State } from '../core/state.ts'
import type { CheckoutStep, OrderRecord } from '../core/state.ts'
import { addFault } from '../core/take-fault.ts'
import type { Timers } from '../core/timers.ts'
import type { World } from '../core/world.ts'
import { nextSeed, nowSeconds } from '../core/world.ts'
import { beginPayment, completeAttempt } from '../money/attempt.ts'
import { DisputeMove, moveDispute } from '../money/dispute.ts'
import { NotesInput } from '../money/input.ts'
import { getOrder } from '../money/orders.ts'
import {
  authorizePayment,
  autoRefund,
  canMove,
  captureOnRequest,
  getPayment,
} from '../money/payments.ts'
import { presetsFor, runPreset } from '../money/presets.ts'
import { getRefund, moveRefund, refundOnRequest } from '../money/refunds.ts'
import { isEndpointDisabled } from '../webhook/deliver.ts'
import { defaults } from '../safety.ts'
import { replayEvent } from '../webhook/emit.ts'
import { readJson } from './api.ts'

const PaymentInput = z.strictObject({
  order_id: z.string(),
  method: Method.default('card'),
  outcome: z.enum(['success', 'failure', 'authorize_only']).default('success'),
  email: z.string().optional(),
  notes: NotesInput,
})

const ScenarioInput = z.strictObject({ name: z.string(), order_id: z.string() })

const ClockInput = z.strictObject({
  advanceSeconds: z
    .number()
    .min(0)
    .max(366 * 24 * 3600),
})

const RefundMove = z.enum(['processed', 'failed', 'reversed'])

/** Records as `GET state` shows them, and since when no webhook has been delivered. */
const ImportInput = State.pick({
  orders: true,
  payments: true,
  refunds: true,
  links: true,
  disputes: true,
  failingSince: true,
}).partial()

const ReplayInput = z.strictObject({ event_id: z.string() })

/** Parses the body of a control request. The error says what is wrong with it. */
async function read<Schema extends z.ZodType>(c: Context, schema: Schema) {
  const parsed = schema.safeParse(await readJson(c))
  if (!parsed.success) throw badRequest(z.prettifyError(parsed.error))
  return parsed.data
}

/** The handler's three fields or the failure, next to all steps of the checkout window. */
function answerOf(steps: CheckoutStep[]) {
  const success = steps.find((step) => step.type === 'success')
  const failure = steps.findLast((step) => step.type === 'failed')
  return { ...success?.triple, ...(success ? {} : { error: failure?.error }), steps }
}

function pay(world: World, input: z.output<typeof PaymentInput>) {
  const { method, outcome, email, notes } = input
  const payment = beginPayment(world, getOrder(world, input.order_id), method, { email, notes })
  const failure = method === 'card' ? 'card_declined' : 'payment_failed'
  const steps = completeAttempt(world, payment, outcome === 'failure' ? { failure } : outcome)
  const { id, order_id, status } = payment.entity
  const ids = { razorpay_payment_id: id, razorpay_order_id: order_id, payment_status: status }
  return { ...ids, ...answerOf(steps) }
}

/** The control calls that move emulated money without a browser. */
function moneyRoutes(world: World): Hono {
  const app = new Hono()
  const paymentOf = (c: Context) => getPayment(world, c.req.param('id') ?? '')

  app.post('/payments', async (c) => c.json(pay(world, await read(c, PaymentInput))))
  app.post('/scenario', async (c) => {
    const { name, order_id } = await read(c, ScenarioInput)
    return c.json(answerOf(runPreset(world, name, getOrder(world, order_id))))
  })
  app.post('/payments/:id/late_authorize', (c) => {
    const payment = paymentOf(c)
    const { status } = payment.entity
    if (!canMove(payment.entity, 'authorized')) {
      throw badRequest(`The payment is ${status}: only a created or failed one can be authorised`)
    }
    authorizePayment(world, payment)
    return c.json(payment.entity)
  })
  app.post('/payments/:id/auto_refund', (c) => {
    const { entity } = paymentOf(c)
    if (entity.status !== 'authorized') {
      throw badRequest('Razorpay refunds only an authorised, uncaptured payment by itself')
    }
    autoRefund(world, entity)
    return c.json(entity)
  })
  app.post('/payments/:id/capture', (c) => {
    const { id, amount, currency } = paymentOf(c).entity
    return c.json(captureOnRequest(world, id, { amount, currency }))
  })
  app.post('/payments/:id/refund', async (c) =>
    c.json(refundOnRequest(world, paymentOf(c).entity, await readJson(c))),
  )
  app.post('/payments/:id/dispute', async (c) => {
    const move = await read(c, DisputeMove)
    return c.json(moveDispute(world, paymentOf(c).entity, move))
  })
  app.post('/refunds/:id', async (c) => {
    const { status } = await read(c, z.strictObject({ status: RefundMove }))
    const refund = getRefund(world, c.req.param('id'))
    moveRefund(world, refund, status)
    return c.json(refund)
  })
  return app
}

function faultRoutes(world: World): Hono {
  const app = new Hono()
  app.post('/', async (c) => c.json(addFault(world, await read(c, FaultInput))))
  app.delete('/', (c) => {
    world.state.faults = []
    return c.json({ ok: true })
  })
  app.delete('/:id', (c) => {
    const others = world.state.faults.filter((rule) => rule.id !== c.req.param('id'))
    if (others.length === world.state.faults.length) {
      throw badRequest('There is no fault with this id')
    }
    world.state.faults = others
    return c.json({ ok: true })
  })
  return app
}

function webhookRoutes(world: World): Hono {
  const app = new Hono()
  app.get('/deliveries', (c) => {
    const endpoint = { url: world.config.webhookUrl, disabled: isEndpointDisabled(world) }
    return c.json({ endpoint, deliveries: world.state.deliveries })
  })
  app.post('/replay', async (c) => {
    replayEvent(world, (await read(c, ReplayInput)).event_id)
    return c.json({ ok: true })
  })
  app.post('/enable', (c) => {
    world.state.failingSince = null
    return c.json({ ok: true })
  })
  return app
}

/** The presets of each order that is not paid yet, by order id. */
function openPresets(world: World) {
  const isOpen = (order: OrderRecord) => order.entity.status !== 'paid'
  const open = Object.values(world.state.orders).filter(isOpen)
  return Object.fromEntries(open.map((order) => [order.entity.id, presetsFor(world, order)]))
}

/** The control API of tests, operators and the console. Every call but `health` carries the control token. */
export function controlRoutes(world: World, timers: Timers): Hono {
  const app = new Hono()
  app.get('/health', (c) => c.json({ ok: true }))
  app.use(async (c, next) => {
    if (c.req.header('x-emu-control') === defaults.controlToken) return next()
    return c.json({ error: { description: 'Send the control token as x-emu-control' } }, 403)
  })
  app.get('/state', (c) => {
    const { warning } = world.config
    return c.json({ ...world.state, clock: world.clock.now(), warning })
  })
  app.get('/presets', (c) => c.json(openPresets(world)))
  app.get('/requests', (c) => c.json(world.journal))
  app.post('/clock', async (c) => {
    const { advanceSeconds } = await read(c, ClockInput)
    await timers.advanceTo(world.clock.now() + advanceSeconds * 1000)
    return c.json({ now: nowSeconds(world) })
  })
  app.post('/reset', async (c) => {
    world.state = emptyState(nextSeed(world.state))
    world.journal = []
    timers.arm()
    return c.json({ ok: true })
  })
  app.post('/import', async (c) => {
    const { failingSince = world.state.failingSince, ...records } = await read(c, ImportInput)
    for (const kind of ['orders', 'payments', 'refunds', 'links', 'disputes'] as const) {
      Object.assign(world.state[kind], records[kind])
    }
    world.state.failingSince = failingSince
    return c.json({ ok: true })
  })
  app.post('/settings', async (c) => {
    Object.assign(world.state.settings, await read(c, Settings.partial()))
    return c.json(world.state.settings)
  })
  app.route('/faults', faultRoutes(world))
  app.route('/webhook', webhookRoutes(world))
  app.route('/', moneyRoutes(world))
  app.all('*', (c) => c.json({ error: { description: 'There is no such control call' } }, 404))
  return app
}
