export const SYMBOL = { USD: '$', INR: '₹' } as const

const decimal = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2 })

/** What was paid or refunded, on screens, from minor units: `$35.00`, `₹2,999.00`. */
export function formatMinor(amountMinor: number, currency: keyof typeof SYMBOL): string {
  const sign = amountMinor < 0 ? '−' : ''
  return `${sign}${SYMBOL[currency]}${decimal.format(Math.abs(amountMinor) / 100)}`
}
