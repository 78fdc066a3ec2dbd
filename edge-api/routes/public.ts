import type { Hono } from 'hono'
import { ANNOUNCEMENT_SECONDS, announcementEndpoint } from '../../src/contract/announcement.ts'
import { appPolicyEndpoint } from '../../src/contract/app.ts'
import { applyEndpoint } from '../../src/contract/careers.ts'
import { healthEndpoint, liveEndpoint } from '../../src/contract/health.ts'
import {
  planAmountsEndpoint,
  plansEndpoint,
  plansWithPricingEndpoint,
} from '../../src/contract/plans.ts'
import { submitTicketEndpoint } from '../../src/contract/support.ts'
import { appPolicy } from '../domain/desktop-app/app-policy.ts'
import { planAmounts, plans, plansWithPricing } from '../domain/catalogue/list-plans.ts'
import { healthCheck, live } from '../domain/health/check-health.ts'
import { announcementHandler } from '../domain/flags/flags.ts'
import { A_MINUTE_AT_THE_EDGE, ASKED_EACH_TIME, mountCached } from '../http/cached-answer.ts'
import type { AppEnv } from '../http/env.ts'
import { honoPath, mountPublic, onDemand } from '../http/mount-endpoint.ts'

const submit = () => import('../domain/support/submit.ts')

/** What visitors, the desktop app and monitors ask without an account. */
export function mountPublicCalls(app: Hono<AppEnv>): void {
  const caching = A_MINUTE_AT_THE_EDGE
  mountCached(app, planAmountsEndpoint, { handler: planAmounts, caching })
  mountCached(app, plansEndpoint, { handler: plans, caching })
  mountCached(app, plansWithPricingEndpoint, { handler: plansWithPricing, caching })
  mountCached(app, appPolicyEndpoint, { handler: appPolicy, caching: ASKED_EACH_TIME })
  mountPublic(app, submitTicketEndpoint, onDemand(submit, 'submitTicket'))
  mountPublic(app, applyEndpoint, onDemand(submit, 'applyForJob'))
  mountPublic(app, liveEndpoint, live)
  mountPublic(app, healthEndpoint, healthCheck())
  mountAnnouncement(app)
}

/** Browsers keep the answer for a minute, so that the next pages do not ask again. */
function mountAnnouncement(app: Hono<AppEnv>): void {
  app.use(honoPath(announcementEndpoint), async (c, next) => {
    await next()
    if (c.res.ok) c.res.headers.set('Cache-Control', `public, max-age=${ANNOUNCEMENT_SECONDS}`)
  })
  mountPublic(app, announcementEndpoint, announcementHandler())
}
