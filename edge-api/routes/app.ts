import type { Hono } from 'hono'
import { appPolicyEndpoint } from '../../src/contract/app.ts'
import { appPolicy } from '../domain/app/app-policy.ts'
import type { AppEnv } from '../http/env.ts'
import { keptByCaches } from '../http/kept-by-caches.ts'
import { honoPath, mountPublic } from '../http/mount-endpoint.ts'

/** What the desktop app asks about itself. */
export function mountDesktopApp(app: Hono<AppEnv>): void {
  app.use(honoPath(appPolicyEndpoint), ...keptByCaches)
  mountPublic(app, appPolicyEndpoint, appPolicy)
}
