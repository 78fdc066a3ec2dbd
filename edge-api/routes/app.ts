import type { Hono } from 'hono'
import { appPolicyEndpoint } from '../../src/contract/app.ts'
import { appPolicy } from '../domain/app/app-policy.ts'
import type { AppEnv } from '../http/env.ts'
import { ASKED_EACH_TIME, mountCached } from '../http/cached-answer.ts'

/** What the desktop app asks about itself. */
export function mountDesktopApp(app: Hono<AppEnv>): void {
  mountCached(app, appPolicyEndpoint, { verb: appPolicy, caching: ASKED_EACH_TIME })
}
