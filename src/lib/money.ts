/** An amount in minor units as people write it: `$35.00`, `₹2999.00`. The spec groups no digits. */
export function formatMinor(amountMinor: number, currency: 'USD' | 'INR'): string {
  const sign = amountMinor < 0 ? '−' : ''
  return `${sign}${SYMBOL[currency]}${(Math.abs(amountMinor) / 100).toFixed(2)}`
}

/** A catalogue price in major units, without empty decimals: `$35`, `₹2999`. */
export function formatPrice(amountMajor: number, currency: 'USD' | 'INR'): string {
  return SYMBOL[currency] + (Number.isInteger(amountMajor) ? amountMajor : amountMajor.toFixed(2))
}

const SYMBOL = { USD: '$', INR: '₹' } as const
