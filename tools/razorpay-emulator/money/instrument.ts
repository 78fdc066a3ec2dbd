import { z } from 'zod'
import { Method } from '../core/entity.ts'
import type { FailureReason } from './failure.ts'

/** The instrument of a payment. The emulator keeps no card number. */
export const Instrument = z.object({
  method: Method,
  number: z.string().default('4100280000001007'),
  /** Month and year, `12/35` or `1235`. */
  expiry: z.string().optional(),
  /** A UPI ID; null for a code that is scanned. */
  vpa: z.string().nullable().default('success@razorpay'),
  flow: z.enum(['collect', 'intent', 'qr']).default('collect'),
  bank: z.string().default('HDFC'),
  wallet: z.string().default('airtelmoney'),
})
export type Instrument = z.infer<typeof Instrument>

/** Razorpay's published error cards: the last nine digits name the failure. */
const errorCards: Record<string, FailureReason> = {
  '4100280000090000': 'payment_timed_out',
  '4100280000080001': 'insufficient_fund',
  '4100280000070002': 'payment_cancelled',
  '4100280000060003': 'card_declined',
  '4100280000030006': 'card_disabled_for_online_payments',
  '4100280000010008': 'card_number_invalid',
  '4100280000020007': 'gateway_technical_error',
  '4100280000000009': 'authentication_failed',
}

const internationalCards = new Set(['5555555555554444', '5105105105105100', '4012888888881881'])

function isLuhnValid(number: string): boolean {
  if (!/^\d{12,19}$/.test(number)) return false
  const sum = Array.from(number, Number)
    .reverse()
    .map((digit, place) => (place % 2 === 0 ? digit : digit * 2 - (digit > 4 ? 9 : 0)))
    .reduce((total, digit) => total + digit, 0)
  return sum % 10 === 0
}

/** A card is valid until the last day of its month. Any text other than `MM/YY` or `MMYY` counts as expired. */
function isExpired(expiry: string, nowSeconds: number): boolean {
  const [, month, year] = /^\s*(0?[1-9]|1[0-2])\s*\/?\s*(?:20)?(\d{2})\s*$/.exec(expiry) ?? []
  if (month === undefined || year === undefined) return true
  return Date.UTC(2000 + Number(year), Number(month)) <= nowSeconds * 1000
}

function digitsOf(number: string): string {
  return number.replaceAll(/[\s-]/g, '')
}

export function isInternational(number: string): boolean {
  return internationalCards.has(digitsOf(number))
}

/** Why a payment with this instrument fails whatever the buyer does, or null. */
export function forcedFailureOf(instrument: Instrument, nowSeconds: number): FailureReason | null {
  const { method, number, expiry } = instrument
  if (method !== 'card') return null
  const digits = digitsOf(number)
  if (expiry !== undefined && isExpired(expiry, nowSeconds)) return 'card_expired'
  return errorCards[digits] ?? (isLuhnValid(digits) ? null : 'card_number_invalid')
}

/** Orders in currencies other than INR are paid by card. */
export function methodsFor(currency: string): Method[] {
  return currency === 'INR' ? ['card', 'upi', 'netbanking', 'wallet'] : ['card']
}
