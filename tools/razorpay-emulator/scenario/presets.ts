import { badRequest } from '../api-error.ts'
import { addFault } from '../fault/take.ts'
import { orderOfLink } from '../link/change-link.ts'
import { beginPayment } from '../payment/begin-payment.ts'
import { completeAttempt } from '../payment/complete-attempt.ts'
import { issueRefund } from '../refund/issue-refund.ts'
import type { PaymentAction, WebhookAction } from '../fault/rule.ts'
import { runFaultyPayment } from '../fault/faulty-payment.ts'
import type { OrderRecord, PaymentRecord } from '../state/state.ts'
import type { Step } from '../state/step.ts'
import type { World } from '../world.ts'
import { withDeliveryPlan } from '../world.ts'

const storm: WebhookAction[] = [
  { type: 'reorder', order: ['order.paid', 'payment.captured', 'payment.authorized'] },
  { type: 'duplicate', n: 8 },
  { type: 'duplicate_new_id', n: 2 },
]

const refundFirst: WebhookAction[] = [
  {
    type: 'reorder',
    order: ['refund.processed', 'refund.created', 'order.paid', 'payment.captured'],
  },
]

function begin(world: World, order: OrderRecord): PaymentRecord {
  const begun = beginPayment(world, order, { method: 'card' })
  if (begun.payment) return begun.payment
  const [step] = begun.steps
  throw badRequest(step?.type === 'failed' ? step.error.description : 'The window was closed', {
    reason: step?.type === 'failed' ? step.error.reason : 'payment_cancelled',
  })
}

function pay(world: World, order: OrderRecord): Step[] {
  return completeAttempt(world, begin(world, order), { kind: 'success' })
}

function payWith(world: World, order: OrderRecord, action: PaymentAction): Step[] {
  const payment = begin(world, order)
  payment.steps = runFaultyPayment(world, payment, action)
  return payment.steps
}

function replaceSuccess(steps: Step[], step: Step): Step[] {
  return steps.map((one) => (one.type === 'success' ? step : one))
}

function payTwice(world: World, order: OrderRecord): Step[] {
  const link = Object.values(world.state.links).find(
    (one) => one.entity.reference_id !== '' && one.entity.reference_id === order.entity.receipt,
  )
  if (!link) {
    throw badRequest('There is no payment link whose reference is the receipt of this order')
  }
  const steps = pay(world, order)
  pay(world, orderOfLink(world, link))
  return steps
}

function refundBeforeCapture(world: World, order: OrderRecord): Step[] {
  return withDeliveryPlan(world, refundFirst, () => {
    const payment = begin(world, order)
    const steps = completeAttempt(world, payment, { kind: 'success' })
    if (payment.entity.captured) {
      issueRefund(world, payment, { amount: payment.entity.amount, speed: 'normal' })
    }
    return steps
  })
}

const note = (text: string): Step[] => [{ type: 'note', text }]

/** One-click stories of an order: what happens to the money, to the webhooks and to the window. */
export const presets = {
  happy: pay,
  'declined-then-ok': (world, order) => payWith(world, order, { type: 'fail_then_new_payment' }),
  'closed-after-pay': (world, order) => replaceSuccess(pay(world, order), { type: 'dismiss' }),
  'late-auth': (world, order) => [
    ...payWith(world, order, { type: 'late_authorize', seconds: 120 }),
    { type: 'dismiss' },
  ],
  'webhook-only': (world, order) => replaceSuccess(pay(world, order), { type: 'vanish' }),
  'handler-only': (world, order) =>
    withDeliveryPlan(world, [{ type: 'lost' }], () => pay(world, order)),
  'webhook-storm': (world, order) => withDeliveryPlan(world, storm, () => pay(world, order)),
  'create-timeout': (world) => {
    addFault(world, {
      match: { method: 'POST', path: '/v1/orders' },
      action: { type: 'commit_then_504' },
    })
    return note('The next order will be created, but its answer is lost.')
  },
  'double-pay-order-and-link': payTwice,
  'refund-before-capture': refundBeforeCapture,
  'wrong-amount': (world, order) => payWith(world, order, { type: 'amount_mismatch', delta: -100 }),
  'api-down-10min': (world, order) => {
    const action = { type: 'status', code: 503, body: 'html' } as const
    addFault(world, { match: { path: '/v1/*' }, times: null, seconds: 600, action })
    return pay(world, order)
  },
} as const satisfies Record<string, (world: World, order: OrderRecord) => Step[]>

export type PresetName = keyof typeof presets

export function isPresetName(name: string): name is PresetName {
  return Object.hasOwn(presets, name)
}

export const presetNames = Object.keys(presets).filter(isPresetName)
