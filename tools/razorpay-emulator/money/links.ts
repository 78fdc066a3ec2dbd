import { z } from 'zod'
import { badRequest, unknownId } from '../core/errors.ts'
import type { LinkEntity } from '../core/entity.ts'
import type { LinkRecord, OrderRecord } from '../core/state.ts'
import type { World } from '../core/world.ts'
import { newId, nowSeconds, scheduleAt } from '../core/world.ts'
import { emit } from '../webhook/emit.ts'
import { page } from './collection.ts'
import { Amount, NotesInput, parseInput, requirePrice, text } from './input.ts'
import { addOrder, getOrder, threeDaysMinutes } from './orders.ts'

const sixMonthsSeconds = 183 * 24 * 3600
const quarterHourSeconds = 15 * 60

const LinkInput = z.strictObject({
  amount: Amount,
  currency: z.string().default('INR'),
  description: text('description', 2048),
  reference_id: text('reference_id', 40),
  notes: NotesInput,
  customer: z.record(z.string(), z.coerce.string()).default({}),
  notify: z
    .object({ email: z.boolean().default(false), sms: z.boolean().default(false) })
    .prefault({}),
  reminder_enable: z.boolean().default(false),
  callback_url: text('callback_url', 2048),
  callback_method: z.literal('get').optional(),
  accept_partial: z.literal(false, 'This emulator takes no partial payments.').optional(),
  upi_link: z.boolean().default(false),
  expire_by: z.int('The expire by must be an integer.').default(0),
})

function requireExpiry(expireBy: number, now: number): void {
  if (expireBy === 0) return
  if (expireBy < now + quarterHourSeconds) {
    throw badRequest('timestamp must be atleast 15 minutes in future', { field: 'expire_by' })
  }
  if (expireBy > now + sixMonthsSeconds) {
    throw badRequest('timestamp must be within 6 months', { field: 'expire_by' })
  }
}

/** `POST /v1/payment_links`, without partial payments. Its page is `short_url`. */
export function createLink(world: World, body: unknown): LinkEntity {
  const now = nowSeconds(world)
  const input = parseInput(LinkInput, body)
  const price = requirePrice(input.amount, input.currency)
  const reference = input.reference_id ?? ''
  if (input.upi_link && price.currency !== 'INR') {
    throw badRequest('upi is currently supported only in indian currency', { field: 'currency' })
  }
  if (reference !== '' && findByReference(world, reference)) {
    throw badRequest(
      `payment link creation with reference ID already attempted with reference_id: ${reference}`,
      { field: 'reference_id' },
    )
  }
  requireExpiry(input.expire_by, now)
  const id = newId(world, 'plink_')
  const code = newId(world, '').slice(3)
  const entity: LinkEntity = {
    id,
    short_url: `${world.config.publicOrigin}/l/${code}`,
    status: 'created',
    ...price,
    amount_paid: 0,
    description: input.description ?? '',
    reference_id: reference,
    notes: Array.isArray(input.notes) ? null : input.notes,
    customer: input.customer,
    notify: input.notify,
    reminder_enable: input.reminder_enable,
    reminders: [],
    accept_partial: false,
    first_min_partial_amount: 0,
    callback_url: input.callback_url ?? '',
    callback_method: input.callback_url ? 'get' : '',
    expire_by: input.expire_by,
    expired_at: 0,
    cancelled_at: 0,
    created_at: now,
    updated_at: now,
    payments: null,
    user_id: '',
    upi_link: input.upi_link,
  }
  world.state.links[id] = { entity, code, orderId: null }
  const expiresAt = (input.expire_by || now + sixMonthsSeconds) * 1000
  scheduleAt(world, expiresAt, { kind: 'expire-link', linkId: id })
  return entity
}

/** The link of an id. Throws the error that Razorpay gives for every id it does not know. */
export function getLink(world: World, id: string): LinkRecord {
  const record = world.state.links[id]
  if (!record) throw unknownId()
  return record
}

export function findByReference(world: World, reference: string): LinkRecord | undefined {
  return Object.values(world.state.links).find((link) => link.entity.reference_id === reference)
}

export function findByCode(world: World, code: string): LinkRecord | undefined {
  return Object.values(world.state.links).find((link) => link.code === code)
}

export function listLinks(world: World, query: URLSearchParams): { payment_links: LinkEntity[] } {
  const reference = query.get('reference_id')
  const payment = query.get('payment_id')
  const links = Object.values(world.state.links)
    .map((link) => link.entity)
    .filter((link) => reference === null || link.reference_id === reference)
    .filter((link) => payment === null || link.payments?.some((one) => one.payment_id === payment))
  return { payment_links: page(links, query) }
}

/** The order behind a link, created when its page is first opened. */
export function orderOfLink(world: World, link: LinkRecord): OrderRecord {
  if (link.orderId !== null) return getOrder(world, link.orderId)
  const { id, amount, currency, notes, reference_id } = link.entity
  const order = addOrder(world, {
    amount,
    currency,
    receipt: reference_id === '' ? null : reference_id,
    notes: notes ?? [],
    captureWithinMinutes: threeDaysMinutes,
    refundAfterMinutes: threeDaysMinutes,
    linkId: id,
  })
  link.orderId = order.entity.id
  return order
}

function end(world: World, link: LinkRecord, status: 'cancelled' | 'expired'): void {
  const { entity, orderId } = link
  entity.status = status
  entity[`${status}_at`] = nowSeconds(world)
  entity.updated_at = nowSeconds(world)
  emit(world, `payment_link.${status}`, {
    payment_link: { ...entity, order_id: orderId },
    ...(orderId === null ? {} : { order: getOrder(world, orderId).entity }),
  })
}

/** `POST /v1/payment_links/:id/cancel`: only while nobody has paid. */
export function cancelLink(world: World, id: string): LinkEntity {
  const link = getLink(world, id)
  if (link.entity.status !== 'created') {
    throw badRequest('cannot cancel or expire an already paid/partially paid link')
  }
  end(world, link, 'cancelled')
  return link.entity
}

/** Expires a link at its time, unless it is paid or cancelled. */
export function expireLink(world: World, id: string): void {
  const link = world.state.links[id]
  if (link?.entity.status === 'created') end(world, link, 'expired')
}
