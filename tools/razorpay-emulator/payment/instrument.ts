import { z } from 'zod'
import { Method } from '../state/entity.ts'

/** What a payment is made with. Card numbers are looked at and forgotten; only the last four stay. */
export const Instrument = z.object({
  method: Method,
  number: z.string().optional(),
  vpa: z.string().nullish(),
  flow: z.enum(['collect', 'intent', 'qr']).optional(),
  bank: z.string().optional(),
  wallet: z.string().optional(),
})
export type Instrument = z.infer<typeof Instrument>

/** Razorpay's published error cards: the last nine digits name the failure. */
const errorCards: Record<string, string> = {
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

export function isLuhnValid(number: string): boolean {
  if (!/^\d{12,19}$/.test(number)) return false
  const sum = Array.from(number, Number)
    .reverse()
    .map((digit, place) => (place % 2 === 0 ? digit : digit * 2 - (digit > 4 ? 9 : 0)))
    .reduce((total, digit) => total + digit, 0)
  return sum % 10 === 0
}

export function readCard(number: string): {
  last4: string
  network: string
  international: boolean
  doom: string | null
} {
  const digits = number.replaceAll(/[\s-]/g, '')
  const network = /^3[47]/.test(digits)
    ? 'American Express'
    : /^5[1-5]/.test(digits)
      ? 'MasterCard'
      : /^(60|65|81|82|508)/.test(digits)
        ? 'RuPay'
        : 'Visa'
  const doom = errorCards[digits] ?? (isLuhnValid(digits) ? null : 'card_number_invalid')
  return {
    last4: digits.slice(-4),
    network,
    international: internationalCards.has(digits),
    doom,
  }
}

/** UPI ids of Razorpay's test mode: one succeeds, one fails, all others are unknown. */
export function doomOfVpa(vpa: string | null): string | null {
  if (vpa === null || vpa === 'success@razorpay') return null
  return vpa === 'failure@razorpay' ? 'payment_failed' : 'invalid_vpa'
}

/** Outside India only cards, and PayPal where it is linked; UPI, banks and wallets are for INR. */
export function methodsFor(currency: string, paypal: boolean): Method[] {
  if (currency === 'INR') return ['card', 'upi', 'netbanking', 'wallet']
  return paypal ? ['card', 'paypal'] : ['card']
}
