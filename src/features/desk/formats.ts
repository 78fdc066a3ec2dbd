import { formatter, MINUTE } from '../../lib/dates.ts'
import { SYMBOL } from '../../lib/numbers.ts'

const sums = {
  USD: new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
  INR: new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
}

/** A sum in minor units, with grouped digits as its country writes them: `$1,234.50`, `₹2,32,917.00`. */
export function formatSum(amountMinor: number, currency: 'USD' | 'INR'): string {
  const sign = amountMinor < 0 ? '−' : ''
  return sign + SYMBOL[currency] + sums[currency].format(Math.abs(amountMinor) / 100)
}

/** An amount of any currency with two decimals, as `formatSum` where we sell in it: `$35.00`, `EUR 12.00`. */
export function formatAmount(amountMinor: number, currency: string): string {
  if (currency === 'USD' || currency === 'INR') return formatSum(amountMinor, currency)
  return `${currency} ${sums.USD.format(amountMinor / 100)}`
}

const utcMinute = formatter({ ...MINUTE, timeZone: 'UTC' })

/** An instant with its minute in UTC: `21 Nov 2026, 09:05`. */
export function formatUtcMinute(instant: string): string {
  return utcMinute.format(new Date(instant))
}

/** A text with its instants written for people. */
export function writeInstants(text: string, write: (instant: string) => string): string {
  return text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (instant) => write(instant))
}
