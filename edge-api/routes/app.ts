import type { Hono } from 'hono'
import { appPolicyEndpoint } from '../../src/contract/app.ts'
import { appPolicy } from '../domain/app/app-policy.ts'
import type { AppEnv } from '../http/env.ts'
import { ASKED_EACH_TIME, mountKept } from '../http/kept-by-caches.ts'

/** What the desktop app asks about itself. */
export function mountDesktopApp(app: Hono<AppEnv>): void {
  mountKept(app, appPolicyEndpoint, { verb: appPolicy, caching: ASKED_EACH_TIME })
}
