import type { Hono } from 'hono'
import { currentSubscriptionEndpoint } from '../../src/contract/subscription.ts'
import { useTokensEndpoint } from '../../src/contract/usage.ts'
import { currentSubscription } from '../domain/account/current-subscription.ts'
import { useTokens } from '../domain/tokens/use-tokens.ts'
import type { AppEnv } from '../http/env.ts'
import { mountSession } from '../http/mount-endpoint.ts'

/** The plan of the caller, and its tokens. */
export function mountSubscription(app: Hono<AppEnv>): void {
  mountSession(app, currentSubscriptionEndpoint, currentSubscription)
  mountSession(app, useTokensEndpoint, useTokens)
}
