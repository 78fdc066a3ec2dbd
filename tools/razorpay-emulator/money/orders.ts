import { z } from 'zod'
import { badRequest, unknownId } from '../core/errors.ts'
import type { ApiError } from '../core/errors.ts'
import type { Notes, OrderEntity, PaymentEntity } from '../core/entity.ts'
import type { OrderRecord } from '../core/state.ts'
import type { World } from '../core/world.ts'
import { newId, nowSeconds } from '../core/world.ts'
import { collection, page } from './collection.ts'
import { Amount, NotesInput, parseInput, requirePrice, text } from './input.ts'

export const threeDaysMinutes = 3 * 24 * 60

/** Minutes; the longest, and what counts when the field is missing. */
const manualExpiryMax = 7_200

const CaptureInput = z.strictObject({
  capture: z.literal('automatic'),
  capture_options: z
    .strictObject({
      automatic_expiry_period: z
        .number()
        .min(12, 'The automatic expiry period must be at least 12 minutes.'),
      manual_expiry_period: z
        .number()
        .max(manualExpiryMax, 'The manual expiry period must be at most 7200 minutes.')
        .default(manualExpiryMax),
      refund_speed: z.enum(['normal', 'optimum']).default('normal'),
    })
    .refine(
      (options) => options.automatic_expiry_period <= options.manual_expiry_period,
      'The manual expiry period must not be shorter than the automatic one.',
    ),
})

const OrderInput = z.strictObject({
  amount: Amount,
  currency: z.string().optional(),
  receipt: text('receipt', 40),
  notes: NotesInput,
  payment: CaptureInput.optional(),
  unique_receipt: z.boolean().default(false),
})

/** The first order with a receipt. Orders behind payment links do not count. */
function findByReceipt(world: World, receipt: string): OrderRecord | undefined {
  return Object.values(world.state.orders).find(
    ({ entity, linkId }) => linkId === null && entity.receipt === receipt,
  )
}

/** The error for a repeated receipt. It names the first order. */
function receiptTaken(first: OrderRecord): ApiError {
  return badRequest('Order receipt should be unique.', {
    field: 'receipt',
    step: 'order_creation',
    metadata: { order_id: first.entity.id },
  })
}

interface NewOrder {
  amount: number
  currency: string
  receipt: string | null
  notes: Notes
  captureWithinMinutes: number
  refundAfterMinutes: number
  linkId: string | null
}

/** Adds an order, also the one behind a payment link. */
export function addOrder(world: World, wanted: NewOrder): OrderRecord {
  const { amount, currency, receipt, notes, linkId, ...windows } = wanted
  const entity: OrderEntity = {
    id: newId(world, 'order_'),
    entity: 'order',
    amount,
    amount_paid: 0,
    amount_due: amount,
    currency,
    receipt,
    offer_id: null,
    status: 'created',
    attempts: 0,
    notes,
    created_at: nowSeconds(world),
  }
  const record = { entity, ...windows, linkId }
  world.state.orders[entity.id] = record
  return record
}

/** `POST /v1/orders`. With `unique_receipt` the same receipt gives the same order again. */
export function createOrder(world: World, body: unknown): OrderEntity {
  const input = parseInput(OrderInput, body)
  const price = requirePrice(input.amount, input.currency)
  const receipt = input.receipt ?? null
  const first = receipt === null ? undefined : findByReceipt(world, receipt)
  if (first && input.unique_receipt) return first.entity
  if (first) throw receiptTaken(first)
  const windows = input.payment?.capture_options
  return addOrder(world, {
    ...price,
    receipt,
    notes: input.notes,
    captureWithinMinutes: windows?.automatic_expiry_period ?? threeDaysMinutes,
    refundAfterMinutes: windows?.manual_expiry_period ?? threeDaysMinutes,
    linkId: null,
  }).entity
}

/** The order of an id. Throws the error that Razorpay gives for every id it does not know. */
export function getOrder(world: World, id: string): OrderRecord {
  const record = world.state.orders[id]
  if (!record) throw unknownId()
  return record
}

/** Newest first, failed ones too. */
export function paymentsOfOrder(world: World, orderId: string): PaymentEntity[] {
  return Object.values(world.state.payments)
    .map((record) => record.entity)
    .filter((payment) => payment.order_id === orderId)
    .reverse()
}

/** `GET /v1/orders`: newest first. */
export function listOrders(world: World, query: URLSearchParams) {
  const receipt = query.get('receipt')
  const found = Object.values(world.state.orders)
    .map((order) => order.entity)
    .filter((order) => receipt === null || order.receipt === receipt)
  return collection(page(found, query))
}
