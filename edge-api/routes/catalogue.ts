import type { Hono } from 'hono'
import {
  planAmountsEndpoint,
  plansEndpoint,
  plansWithPricingEndpoint,
} from '../../src/contract/catalogue.ts'
import { planAmounts, plans, plansWithPricing } from '../domain/catalogue/list-plans.ts'
import type { AppEnv } from '../http/env.ts'
import { A_MINUTE_AT_THE_EDGE, mountKept } from '../http/kept-by-caches.ts'

/** Plans, token packs and prices. */
export function mountCatalogue(app: Hono<AppEnv>): void {
  const caching = A_MINUTE_AT_THE_EDGE
  mountKept(app, planAmountsEndpoint, { verb: planAmounts, caching })
  mountKept(app, plansEndpoint, { verb: plans, caching })
  mountKept(app, plansWithPricingEndpoint, { verb: plansWithPricing, caching })
}
