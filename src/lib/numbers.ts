import { formatMinor, SYMBOL } from '../contract/amount.ts'

const grouped = new Intl.NumberFormat('en-US')
const compact = new Intl.NumberFormat('en-US', { notation: 'compact' })

/** The currencies to choose from. */
export const CURRENCY_OPTIONS = [
  { value: 'USD', label: 'USD ($)' },
  { value: 'INR', label: 'INR (₹)' },
] as const

/** `1,000,000` */
export function formatCount(value: number): string {
  return grouped.format(value)
}

/** How many frames a number takes to its new value: a fifth of a second of most screens. */
const FRAMES = 12

/** The numbers from one to another, ever closer together, ending with the new one. */
export function countsBetween(from: number, to: number): string[] {
  return Array.from({ length: FRAMES }, (_, frame) => {
    const rest = ((FRAMES - 1 - frame) / FRAMES) ** 3
    return formatCount(Math.round(to + (from - to) * rest))
  })
}

/** `20K`, `1.5M` */
export function formatCompact(value: number): string {
  return compact.format(value)
}

/** The next 1, 2, 3, 4 or 6 with zeros, as the top of a scale whose half is a round number too. */
export function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)))
  return ([1, 2, 3, 4, 6].find((step) => step * power >= value) ?? 10) * power
}

/** Share in whole percent; 100 only when nothing is left, 0 of 0 is 0. */
export function percentOf(part: number, whole: number): number {
  if (whole <= 0) return 0
  return part >= whole ? 100 : Math.min(99, Math.round((part / whole) * 100))
}

/** Seconds as hours, with one decimal below ten: `0h`, `1.5h`, `12h`. */
export function formatHours(seconds: number): string {
  const hours = seconds / 3_600
  return `${hours < 10 ? Math.round(hours * 10) / 10 : Math.round(hours)}h`
}

/** A catalogue price in major units, without empty decimals: `$35`, `₹2,999`. */
export function formatPrice(amountMajor: number, currency: 'USD' | 'INR'): string {
  return Number.isInteger(amountMajor)
    ? SYMBOL[currency] + grouped.format(amountMajor)
    : formatMinor(amountMajor * 100, currency)
}
