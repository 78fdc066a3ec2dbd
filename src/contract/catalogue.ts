import type { Currency } from './currency.ts'

/** Both currencies have two decimals (ISO 4217). */
export const MINOR_UNITS_PER_MAJOR = 100

/** A plan or a token pack. Prices are in minor units: cents and paise. */
export interface Item {
  /** The key of the item. For plans it is also the `planType` of the API. */
  readonly sku: string
  readonly kind: 'plan' | 'token_pack'
  readonly name: string
  readonly tokens: number
  /** How many days the plan lasts; 0 for a token pack. */
  readonly accessDays: number
  readonly priceMinor: Readonly<Record<Currency, number>>
}

export interface PlanItem extends Item {
  /** What the plans page lists. */
  readonly features: readonly string[]
}

/** Sold only to accounts with an active plan. */
export const TOKEN_PACK: Item = {
  sku: 'token_pack',
  kind: 'token_pack',
  name: 'Token pack',
  tokens: 1_000_000,
  accessDays: 0,
  priceMinor: { USD: 2_500, INR: 219_900 },
}

/** The plans, in the order of the pages. To sell another plan, add an entry; keep those of plans that users bought. */
export const PLANS: readonly [PlanItem, ...PlanItem[]] = [
  {
    sku: 'pro',
    kind: 'plan',
    name: 'Pro',
    tokens: 1_000_000,
    accessDays: 365,
    priceMinor: { USD: 3_500, INR: 299_900 },
    features: [
      '1,000,000 AI tokens',
      'Access for 365 days',
      'Interview, Meeting, Sales and Negotiation modes',
      'Real-time AI responses',
      'macOS and Windows apps',
      'Token packs whenever you need more',
    ],
  },
]

/** The plan that pages mention by name. */
export const [MAIN_PLAN] = PLANS

/** The words of a plan's button, which name the plan where there are several. */
export function buyLabel(name: string): string {
  return PLANS.length === 1 ? 'Buy Now' : `Buy ${name}`
}

/** The plan or token pack with this SKU; undefined when there is none. */
export function findItem(sku: string): Item | undefined {
  return [...PLANS, TOKEN_PACK].find((item) => item.sku === sku)
}

/** What is sold, after the product's name on receipts and in the payment window: "Pro, 365 days, 1,000,000 tokens". */
export function describeSale({
  kind,
  name,
  accessDays,
  tokens,
}: Pick<Item, 'kind' | 'name' | 'accessDays' | 'tokens'>): string {
  const what = kind === 'plan' ? `${name}, ${accessDays} days` : 'token pack'
  return `${what}, ${tokens.toLocaleString('en-US')} tokens`
}

/** Minor units (cents, paise) to major units: 3500 to 35. */
export function majorAmount(amountMinor: number): number {
  return amountMinor / MINOR_UNITS_PER_MAJOR
}
