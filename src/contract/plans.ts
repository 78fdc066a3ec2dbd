import { DEFAULT_CURRENCY } from './kinds.ts'
import { Currency } from './currency.ts'
import { defineEndpoint, success } from './endpoint.ts'
import { z } from './zod.ts'

const InCurrency = z.object({ currency: Currency.default(DEFAULT_CURRENCY) })

export const Plan = z.object({
  id: z.string().max(40),
  name: z.string().max(60),
  /** Major units. */
  price: z.number(),
  currency: Currency,
  tokens: z.int(),
  accessDays: z.int(),
  features: z.array(z.string().max(120)).max(20),
})
export type Plan = z.infer<typeof Plan>

const PlanType = z.string().max(40)

export const planAmountsEndpoint = defineEndpoint({
  id: 'planAmounts',
  method: 'GET',
  path: '/api/subscription/plan-amounts',
  access: 'public',
  query: InCurrency,
  success: success({ planAmounts: z.record(PlanType, z.number()) }),
})

export const plansEndpoint = defineEndpoint({
  id: 'plans',
  method: 'GET',
  path: '/api/subscription/plans',
  access: 'public',
  query: InCurrency,
  success: success({ plans: z.record(PlanType, Plan) }),
})

export const plansWithPricingEndpoint = defineEndpoint({
  id: 'plansWithPricing',
  method: 'GET',
  path: '/api/subscription/plans-with-pricing',
  access: 'public',
  query: InCurrency,
  success: success({
    plans: z.array(Plan).max(20),
    tokenPack: z.object({ price: z.number(), currency: Currency, tokens: z.int() }),
  }),
})
