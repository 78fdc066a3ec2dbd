import type { Hono } from 'hono'
import {
  cancelSubscriptionEndpoint,
  currentSubscriptionEndpoint,
  reactivateSubscriptionEndpoint,
} from '../../src/contract/subscription.ts'
import {
  cancelPlan,
  currentSubscription,
  reactivatePlan,
} from '../domain/subscription/cancel-plan.ts'
import type { AppEnv } from '../http/env.ts'
import { mountSession } from '../http/mount-endpoint.ts'

/** The caller's plan. */
export function mountSubscription(app: Hono<AppEnv>): void {
  mountSession(app, currentSubscriptionEndpoint, currentSubscription)
  mountSession(app, cancelSubscriptionEndpoint, cancelPlan)
  mountSession(app, reactivateSubscriptionEndpoint, reactivatePlan)
}
