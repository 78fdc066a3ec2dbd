import { badRequest } from '../api-error.ts'
import type { Body } from '../order/validate-order.ts'
import { readAmount, readCurrency, readNotes, readReference } from '../order/validate-order.ts'
import type { LinkRecord } from '../state/state.ts'
import type { World } from '../world.ts'
import { newId, nowSeconds, scheduleAt } from '../world.ts'

const sixMonthsSeconds = 183 * 24 * 3600
const quarterHourSeconds = 15 * 60

function readExpiry(body: Body, now: number): number {
  const { expire_by: expireBy } = body
  if (expireBy === undefined || expireBy === 0) return 0
  if (typeof expireBy !== 'number' || !Number.isSafeInteger(expireBy)) {
    throw badRequest('The expire by must be an integer.', { field: 'expire_by' })
  }
  if (expireBy < now + quarterHourSeconds) {
    throw badRequest('timestamp must be atleast 15 minutes in future', { field: 'expire_by' })
  }
  if (expireBy > now + sixMonthsSeconds) {
    throw badRequest('timestamp must be within 6 months', { field: 'expire_by' })
  }
  return expireBy
}

function readText(value: unknown, field: string, longest: number): string {
  if (value === undefined || value === null) return ''
  if (typeof value !== 'string' || value.length > longest) {
    throw badRequest(`The ${field} may not be greater than ${String(longest)} characters.`, {
      field,
    })
  }
  return value
}

function readStrings(value: unknown): Record<string, string> {
  if (value === null || typeof value !== 'object') return {}
  return Object.fromEntries(Object.entries(value).map(([key, text]) => [key, String(text)]))
}

function readFlag(value: unknown, name: string): boolean {
  return value !== null && typeof value === 'object' && Reflect.get(value, name) === true
}

function refuseRepeat(world: World, referenceId: string): void {
  if (referenceId === '') return
  const first = Object.values(world.state.links).find(
    (link) => link.entity.reference_id === referenceId,
  )
  if (first) {
    throw badRequest(
      `payment link creation with reference ID already attempted with reference_id: ${referenceId}`,
      { field: 'reference_id' },
    )
  }
}

/** `POST /v1/payment_links`, without partial payments. Its page is `short_url`. */
export function createLink(world: World, body: Body): LinkRecord {
  const now = nowSeconds(world)
  const { settings } = world.state
  const currency = readCurrency(body.currency ?? 'INR', settings)
  const amount = readAmount(body, currency, settings)
  if (body.upi_link === true && currency !== 'INR') {
    throw badRequest('upi is currently supported only in indian currency', { field: 'currency' })
  }
  const referenceId = readReference(body.reference_id, 'reference_id') ?? ''
  refuseRepeat(world, referenceId)
  const expireBy = readExpiry(body, now)
  const notes = readNotes(body.notes)
  const id = newId(world, 'plink_')
  const code = newId(world, '').slice(3)
  const record: LinkRecord = {
    code,
    orderId: null,
    entity: {
      id,
      short_url: `${world.config.publicOrigin}/l/${code}`,
      status: 'created',
      amount,
      amount_paid: 0,
      currency,
      description: readText(body.description, 'description', 2048),
      reference_id: referenceId,
      notes: Array.isArray(notes) ? null : notes,
      customer: readStrings(body.customer),
      notify: { email: readFlag(body.notify, 'email'), sms: readFlag(body.notify, 'sms') },
      reminder_enable: body.reminder_enable === true,
      reminders: [],
      accept_partial: false,
      first_min_partial_amount: 0,
      callback_url: readText(body.callback_url, 'callback_url', 2048),
      callback_method: body.callback_url === undefined ? '' : 'get',
      expire_by: expireBy,
      expired_at: 0,
      cancelled_at: 0,
      created_at: now,
      updated_at: now,
      payments: null,
      user_id: '',
      upi_link: body.upi_link === true,
    },
  }
  world.state.links[id] = record
  const expiresAt = (expireBy === 0 ? now + sixMonthsSeconds : expireBy) * 1000
  scheduleAt(world, expiresAt, { kind: 'expire-link', linkId: id })
  return record
}
