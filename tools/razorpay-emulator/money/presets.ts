import { badRequest } from '../core/errors.ts'
import type { WebhookAction } from '../core/fault-rule.ts'
import type { CheckoutStep, OrderRecord, PaymentRecord } from '../core/state.ts'
import { addFault } from '../core/take-fault.ts'
import type { World } from '../core/world.ts'
import { scheduleAt, withWebhookActions } from '../core/world.ts'
import { beginPayment, completeAttempt, startAttempt } from './attempt.ts'
import { Instrument } from './instrument.ts'
import { findByReference, orderOfLink } from './links.ts'
import { issueRefund } from './refunds.ts'

type Preset = (world: World, order: OrderRecord) => CheckoutStep[]

const lateSeconds = 120

const begin = (world: World, order: OrderRecord): PaymentRecord =>
  beginPayment(world, order, 'card')

const succeed = (world: World, payment: PaymentRecord): CheckoutStep[] =>
  completeAttempt(world, payment, 'success')

const pay: Preset = (world, order) => succeed(world, begin(world, order))

/** Pays, and ends the window in another way than by calling the handler. */
function payThen(end: CheckoutStep): Preset {
  return (world, order) => {
    const payment = begin(world, order)
    succeed(world, payment)
    payment.steps = [end]
    return payment.steps
  }
}

const declinedThenOk: Preset = (world, order) => {
  const declined = begin(world, order)
  const steps = completeAttempt(world, declined, { failure: 'card_declined' })
  return [...steps, ...pay(world, order)]
}

const lateAuthorisation: Preset = (world, order) => {
  const payment = begin(world, order)
  const steps = completeAttempt(world, payment, { failure: 'payment_timed_out' })
  const at = world.clock.now() + lateSeconds * 1000
  scheduleAt(world, at, { kind: 'late-authorize', paymentId: payment.entity.id })
  return [...steps, { type: 'dismiss' }]
}

/** The buyer pays twice at the same time. Razorpay refunds the second payment, which it never captured. */
const secondPayment: Preset = (world, order) => {
  const first = begin(world, order)
  const second = startAttempt(world, order, Instrument.parse({ method: 'card' }))
  const steps = succeed(world, first)
  succeed(world, second)
  return steps
}

const payOrderAndLink: Preset = (world, order) => {
  const { receipt } = order.entity
  const link = receipt === null ? undefined : findByReference(world, receipt)
  if (link?.entity.status !== 'created') {
    throw badRequest('There is no open payment link whose reference is the receipt of this order')
  }
  const steps = pay(world, order)
  pay(world, orderOfLink(world, link))
  return steps
}

const refundFirst: WebhookAction[] = [
  {
    type: 'reorder',
    order: ['refund.processed', 'refund.created', 'order.paid', 'payment.captured'],
  },
]

const refundBeforeCapture: Preset = (world, order) =>
  withWebhookActions(world, refundFirst, () => {
    const payment = begin(world, order)
    const steps = succeed(world, payment)
    issueRefund(world, payment.entity, { amount: payment.entity.amount })
    return steps
  })

const storm: WebhookAction[] = [
  { type: 'reorder', order: ['order.paid', 'payment.captured', 'payment.authorized'] },
  { type: 'duplicate', n: 8 },
  { type: 'duplicate_new_id', n: 2 },
]

const wrongAmount: Preset = (world, order) => {
  const payment = begin(world, order)
  payment.entity.amount -= 100
  return succeed(world, payment)
}

const apiDown: Preset = (world, order) => {
  const action = { type: 'status', code: 503, body: 'html' } as const
  addFault(world, { match: { path: '/v1/*' }, times: null, seconds: 600, action })
  return pay(world, order)
}

const presets = {
  happy: pay,
  'declined-then-ok': declinedThenOk,
  'closed-after-pay': payThen({ type: 'dismiss' }),
  'webhook-only': payThen({ type: 'vanish' }),
  'handler-only': (world, order) =>
    withWebhookActions(world, [{ type: 'lost' }], () => pay(world, order)),
  'late-auth': lateAuthorisation,
  'webhook-storm': (world, order) => withWebhookActions(world, storm, () => pay(world, order)),
  'second-payment': secondPayment,
  'double-pay-order-and-link': payOrderAndLink,
  'refund-before-capture': refundBeforeCapture,
  'wrong-amount': wrongAmount,
  'api-down-10min': apiDown,
} as const satisfies Record<string, Preset>

type PresetName = keyof typeof presets

function isPresetName(name: string): name is PresetName {
  return Object.hasOwn(presets, name)
}

/** The presets that can run on an order: not every order has a payment link beside it. */
export function presetsFor({ state }: World, { entity }: OrderRecord): PresetName[] {
  const hasLink = Object.values(state.links).some(
    (link) => link.entity.status === 'created' && link.entity.reference_id === entity.receipt,
  )
  return Object.keys(presets)
    .filter(isPresetName)
    .filter((name) => hasLink || name !== 'double-pay-order-and-link')
}

/** Runs a preset, which decides about the money, the webhooks and the checkout window. */
export function runPreset(world: World, name: string, order: OrderRecord): CheckoutStep[] {
  if (!isPresetName(name)) {
    throw badRequest(`There is no such preset. There are: ${Object.keys(presets).join(', ')}`)
  }
  return presets[name](world, order)
}
