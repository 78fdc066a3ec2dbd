const SMALL = [
  ...['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'],
  ...['eleven', 'twelve', 'thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen'],
  ...['eighteen', 'nineteen'],
]
const TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety']

/** Groups from the largest, each with its size: India counts in lakhs and crores. */
const GROUPS = {
  INR: [
    [10_000_000, 'crore'],
    [100_000, 'lakh'],
    [1_000, 'thousand'],
  ],
  USD: [
    [1_000_000, 'million'],
    [1_000, 'thousand'],
  ],
} as const

const NAMES = { INR: ['rupees', 'paise'], USD: ['US dollars', 'cents'] } as const

/** An amount in minor units as an invoice spells it: "Rupees two thousand one hundred ninety-nine and fifty paise only". */
export function amountInWords(amountMinor: number, currency: 'USD' | 'INR'): string {
  const [major, minor] = NAMES[currency]
  const cents = amountMinor % 100
  const whole = numberInWords(Math.floor(amountMinor / 100), currency)
  const rest = cents === 0 ? '' : ` and ${numberInWords(cents, currency)} ${minor}`
  return `${major.charAt(0).toUpperCase()}${major.slice(1)} ${whole}${rest} only`
}

function numberInWords(value: number, currency: 'USD' | 'INR'): string {
  for (const [size, name] of GROUPS[currency]) {
    if (value >= size) {
      const head = `${numberInWords(Math.floor(value / size), currency)} ${name}`
      return withRest(head, value % size, currency)
    }
  }
  if (value >= 100)
    return withRest(`${word(Math.floor(value / 100))} hundred`, value % 100, currency)
  const units = value % 10
  return value < 20
    ? word(value)
    : `${TENS[Math.floor(value / 10)]}${units === 0 ? '' : `-${word(units)}`}`
}

function withRest(head: string, rest: number, currency: 'USD' | 'INR'): string {
  return rest === 0 ? head : `${head} ${numberInWords(rest, currency)}`
}

function word(value: number): string {
  return SMALL[value] ?? ''
}
