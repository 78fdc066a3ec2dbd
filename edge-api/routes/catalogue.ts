import type { Hono } from 'hono'
import {
  planAmountsEndpoint,
  plansEndpoint,
  plansWithPricingEndpoint,
} from '../../src/contract/catalogue.ts'
import { planAmounts, plans, plansWithPricing } from '../domain/catalogue/list-plans.ts'
import type { AppEnv } from '../http/env.ts'
import { keptByCaches } from '../http/kept-by-caches.ts'
import { honoPath, mountPublic } from '../http/mount-endpoint.ts'

/** Plans, token packs and prices. */
export function mountCatalogue(app: Hono<AppEnv>): void {
  for (const endpoint of [planAmountsEndpoint, plansEndpoint, plansWithPricingEndpoint]) {
    app.use(honoPath(endpoint), ...keptByCaches)
  }
  mountPublic(app, planAmountsEndpoint, planAmounts)
  mountPublic(app, plansEndpoint, plans)
  mountPublic(app, plansWithPricingEndpoint, plansWithPricing)
}
