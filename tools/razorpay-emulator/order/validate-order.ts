import { badRequest } from '../api-error.ts'
import type { Notes } from '../state/entity.ts'
import type { Settings } from '../state/settings.ts'
import type { CaptureRule } from '../state/state.ts'

export type Body = Record<string, unknown>

export interface OrderRequest {
  amount: number
  currency: string
  receipt: string | null
  notes: Notes
  capture: CaptureRule
  uniqueReceipt: boolean
}

const knownFields = new Set([
  'amount',
  'currency',
  'receipt',
  'notes',
  'partial_payment',
  'first_payment_min_amount',
  'payment',
  'payment_capture',
  'checkout_config_id',
  'unique_receipt',
])

const orderStep = { step: 'order_creation' }

/** A whole number of minor units, at least the currency's minimum. */
export function readAmount(body: Body, currency: unknown, settings: Settings): number {
  const { amount } = body
  if (amount === undefined || amount === null) {
    throw badRequest('amount: is required.', { field: 'amount' })
  }
  if (typeof amount !== 'number') {
    throw badRequest(`expected integer but provided ${String(amount)}`, { field: 'amount' })
  }
  if (!Number.isSafeInteger(amount)) {
    throw badRequest('The amount must be an integer.', { field: 'amount' })
  }
  const minimum = currency === 'USD' ? settings.usdMinimum : 100
  if (amount < minimum) {
    throw badRequest('Order amount less than minimum amount allowed', {
      ...orderStep,
      field: 'amount',
      reason: 'amount_less_than_minimum_amount',
    })
  }
  return amount
}

export function readCurrency(currency: unknown, settings: Settings): string {
  if (currency === undefined) throw badRequest('currency: is required.', { field: 'currency' })
  if (currency === 'INR' || (currency === 'USD' && settings.international)) return currency
  throw badRequest('Currency is not supported', { ...orderStep, field: 'currency' })
}

/** At most 40 characters. */
export function readReference(value: unknown, field: string): string | null {
  if (value === undefined || value === null) return null
  if (typeof value !== 'string') {
    throw badRequest(`expected string but provided ${String(value)}`, { field })
  }
  if (value.length > 40) {
    throw badRequest(`The ${field} may not be greater than 40 characters.`, { field })
  }
  return value
}

/** At most 15 pairs of at most 256 characters; empty ones become a list. */
export function readNotes(value: unknown): Notes {
  if (value === undefined || value === null) return []
  if (typeof value !== 'object') throw badRequest('The notes must be an array.', { field: 'notes' })
  const pairs = Object.entries(value).map(([key, note]) => [key, String(note)] as const)
  if (pairs.length > 15) {
    throw badRequest('The notes may not have more than 15 keys.', { field: 'notes' })
  }
  if (pairs.some(([, note]) => note.length > 256)) {
    throw badRequest('A note may not be longer than 256 characters.', { field: 'notes' })
  }
  return pairs.length === 0 ? [] : Object.fromEntries(pairs)
}

const threeDaysMinutes = 3 * 24 * 60

function isObject(value: unknown): value is Body {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

/** Capture settings of one order; without any the account's default stands. */
export function readCapture(body: Body, settings: Settings): CaptureRule {
  const standard = settings.autoCapture ? 'automatic' : 'manual'
  const { payment, payment_capture: legacy } = body
  if (payment === undefined) {
    const asked = legacy === undefined ? standard : legacy ? 'automatic' : 'manual'
    return { mode: asked, automaticExpiryMinutes: threeDaysMinutes }
  }
  if (!isObject(payment)) throw badRequest('The payment must be an object.', { field: 'payment' })
  const { capture, capture_options: options } = payment
  if (capture !== 'automatic' && capture !== 'manual') {
    throw badRequest('The selected capture is invalid.', { field: 'payment.capture' })
  }
  const expiry = isObject(options) ? options.automatic_expiry_period : undefined
  if (capture === 'manual') return { mode: 'manual', automaticExpiryMinutes: 0 }
  if (typeof expiry !== 'number' || expiry < 12) {
    throw badRequest('The automatic expiry period must be at least 12 minutes.', {
      field: 'payment.capture_options.automatic_expiry_period',
    })
  }
  return { mode: 'automatic', automaticExpiryMinutes: Math.floor(expiry) }
}

/** Checks an order's request member by member, in the order in which Razorpay complains. */
export function readOrderRequest(body: Body, settings: Settings): OrderRequest {
  const stranger = Object.keys(body).find((field) => !knownFields.has(field))
  if (stranger !== undefined) {
    throw badRequest(`${stranger} is/are not required and should not be sent`, {
      field: stranger,
      reason: 'extra_field_sent',
    })
  }
  return {
    amount: readAmount(body, body.currency, settings),
    currency: readCurrency(body.currency, settings),
    receipt: readReference(body.receipt, 'receipt'),
    notes: readNotes(body.notes),
    capture: readCapture(body, settings),
    uniqueReceipt: body.unique_receipt === true,
  }
}
