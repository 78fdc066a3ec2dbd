import type { Hono } from 'hono'
import { healthEndpoint, liveEndpoint } from '../../src/contract/health.ts'
import { healthCheck, live } from '../domain/health/check-health.ts'
import type { AppEnv } from '../http/env.ts'
import { mountPublic } from '../http/mount-endpoint.ts'

/** For monitors. `/api/health` answers 503 and names the part while a required one is down. */
export function mountHealth(app: Hono<AppEnv>): void {
  mountPublic(app, liveEndpoint, live)
  mountPublic(app, healthEndpoint, healthCheck())
}
