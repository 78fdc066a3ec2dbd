import type { Hono } from 'hono'
import {
  planAmountsEndpoint,
  plansEndpoint,
  plansWithPricingEndpoint,
} from '../../src/contract/plans.ts'
import { planAmounts, plans, plansWithPricing } from '../domain/catalogue/list-plans.ts'
import type { AppEnv } from '../http/env.ts'
import { A_MINUTE_AT_THE_EDGE, mountCached } from '../http/cached-answer.ts'

/** Plans, token packs and prices. */
export function mountCatalogue(app: Hono<AppEnv>): void {
  const caching = A_MINUTE_AT_THE_EDGE
  mountCached(app, planAmountsEndpoint, { verb: planAmounts, caching })
  mountCached(app, plansEndpoint, { verb: plans, caching })
  mountCached(app, plansWithPricingEndpoint, { verb: plansWithPricing, caching })
}
