import { Hono } from 'hono'
import { badRequest } from '../api-error.ts'
import { moveDispute } from '../dispute/dispute.ts'
import { getOrder } from '../order/read-orders.ts'
import { beginPayment } from '../payment/begin-payment.ts'
import { captureOnRequest } from '../payment/capture-request.ts'
import type { Outcome } from '../payment/complete-attempt.ts'
import { completeAttempt } from '../payment/complete-attempt.ts'
import { authorizePayment, autoRefund, canMove } from '../payment/moves.ts'
import { getPayment } from '../payment/read-payments.ts'
import { finishRefund } from '../refund/issue-refund.ts'
import { getRefund, refundOnRequest } from '../refund/request-refund.ts'
import { isPresetName, presets, presetNames } from '../scenario/presets.ts'
import type { OrderRecord } from '../state/state.ts'
import type { Step } from '../state/step.ts'
import type { World } from '../world.ts'
import { DisputeInput, PaymentInput, ScenarioInput } from './control-input.ts'
import { parseBody } from './parse-body.ts'
import { readBody } from './read-body.ts'

/** The handler's three fields or the failure, flat, beside all steps of the checkout window. */
function answerOf(steps: Step[]) {
  const success = steps.find((step) => step.type === 'success')
  const failure = steps.findLast((step) => step.type === 'failed')
  return { ...success?.triple, ...(success ? {} : { error: failure?.error }), steps }
}

function outcomeOf(input: {
  outcome: string
  method: string
  reason?: string | undefined
}): Outcome {
  if (input.outcome === 'success') return { kind: 'success' }
  if (input.outcome === 'authorize_only') return { kind: 'authorize_only' }
  const usual = input.method === 'card' ? 'card_declined' : 'payment_failed'
  return { kind: 'failure', reason: input.reason ?? usual }
}

function payRoute(world: World, body: unknown) {
  const input = parseBody(PaymentInput, body)
  const { method, number, vpa, email, contact, notes } = input
  const order = getOrder(world, input.order_id)
  const instrument = { method, number, vpa }
  const begun = beginPayment(world, order, instrument, { email, contact, notes })
  if (!begun.payment) {
    const [step] = begun.steps
    if (step?.type !== 'failed') return answerOf(begun.steps)
    throw badRequest(step.error.description, { reason: step.error.reason })
  }
  const { payment } = begun
  const asked = outcomeOf(input)
  const isDoomed = asked.kind === 'success' && payment.doom !== null
  const outcome: Outcome = isDoomed
    ? { kind: 'failure', reason: payment.doom ?? 'payment_failed' }
    : asked
  const steps = completeAttempt(world, payment, outcome)
  const { id, order_id, status } = payment.entity
  const ids = { razorpay_payment_id: id, razorpay_order_id: order_id, payment_status: status }
  return { ...ids, ...answerOf(steps) }
}

function findOrder(
  world: World,
  input: { order_id?: string | undefined; receipt?: string | undefined },
): OrderRecord {
  if (input.order_id !== undefined) return getOrder(world, input.order_id)
  const found = Object.values(world.state.orders).findLast(
    (order) => input.receipt !== undefined && order.entity.receipt === input.receipt,
  )
  if (!found) throw badRequest('There is no order with this receipt: give order_id or receipt')
  return found
}

function scenarioRoute(world: World, body: unknown) {
  const input = parseBody(ScenarioInput, body)
  if (!isPresetName(input.name)) {
    throw badRequest(`There is no such preset. There are: ${presetNames.join(', ')}`)
  }
  const { name } = input
  if (name === 'create-timeout') return answerOf(presets[name](world))
  return answerOf(presets[name](world, findOrder(world, input)))
}

/** Everything that moves emulated money without a browser. */
export function controlMoneyRoutes(world: World): Hono {
  const app = new Hono()
  app.post('/payments', async (c) => c.json(payRoute(world, await readBody(c))))
  app.post('/scenario', async (c) => c.json(scenarioRoute(world, await readBody(c))))

  app.post('/payments/:id/late_authorize', (c) => {
    const payment = getPayment(world, c.req.param('id'))
    if (!canMove(payment.entity, 'authorized')) {
      throw badRequest(
        `The payment is ${payment.entity.status}: only a created or failed one can be authorised`,
      )
    }
    authorizePayment(world, payment)
    return c.json(payment.entity)
  })
  app.post('/payments/:id/auto_refund', (c) => {
    const payment = getPayment(world, c.req.param('id'))
    if (payment.entity.status !== 'authorized') {
      throw badRequest('Only an authorised, uncaptured payment is refunded by itself')
    }
    autoRefund(world, payment)
    return c.json(payment.entity)
  })
  app.post('/payments/:id/capture', (c) => {
    const { id, amount, currency } = getPayment(world, c.req.param('id')).entity
    return c.json(captureOnRequest(world, id, { amount, currency }))
  })
  app.post('/payments/:id/refund', async (c) =>
    c.json(refundOnRequest(world, c.req.param('id'), await readBody(c))),
  )
  app.post('/payments/:id/dispute', async (c) => {
    const { phase, amount } = parseBody(DisputeInput, await readBody(c))
    return c.json(moveDispute(world, c.req.param('id'), phase, amount))
  })
  app.post('/refunds/:id/fail', (c) => {
    const refund = getRefund(world, c.req.param('id'))
    finishRefund(world, refund, true)
    return c.json(refund.entity)
  })
  return app
}
