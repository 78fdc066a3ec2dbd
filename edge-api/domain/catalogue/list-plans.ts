import {
  type Item,
  type PlanItem,
  majorAmount,
  PLANS,
  TOKEN_PACK,
} from '../../../src/contract/catalogue.ts'
import type { Currency } from '../../../src/contract/currency.ts'
import type {
  Plan,
  planAmountsEndpoint,
  plansEndpoint,
  plansWithPricingEndpoint,
} from '../../../src/contract/plans.ts'
import type { PublicHandler } from '../handler.ts'

/** Amount of every plan, in major units. */
export const planAmounts: PublicHandler<typeof planAmountsEndpoint> = (_ctx, { query }) =>
  Promise.resolve({
    success: true,
    planAmounts: mapPlans((item) => priceOf(item, query.currency)),
  })

/** Plans keyed by plan type. */
export const plans: PublicHandler<typeof plansEndpoint> = (_ctx, { query }) =>
  Promise.resolve({ success: true, plans: mapPlans((item) => toPlan(item, query.currency)) })

/** Plans as a list, with the price of a token pack. */
export const plansWithPricing: PublicHandler<typeof plansWithPricingEndpoint> = (
  _ctx,
  { query },
) => {
  const { currency } = query
  return Promise.resolve({
    success: true,
    plans: PLANS.map((item) => toPlan(item, currency)),
    tokenPack: { price: priceOf(TOKEN_PACK, currency), currency, tokens: TOKEN_PACK.tokens },
  })
}

function priceOf(item: Item, currency: Currency): number {
  return majorAmount(item.priceMinor[currency])
}

function toPlan(item: PlanItem, currency: Currency): Plan {
  return {
    id: item.sku,
    name: item.name,
    price: priceOf(item, currency),
    currency,
    tokens: item.tokens,
    accessDays: item.accessDays,
    features: [...item.features],
  }
}

function mapPlans<Value>(value: (item: PlanItem) => Value): Record<string, Value> {
  return Object.fromEntries(PLANS.map((item) => [item.sku, value(item)]))
}
