import type { Hono } from 'hono'
import { ANNOUNCEMENT_SECONDS, announcementEndpoint } from '../../src/contract/announcement.ts'
import { announcementVerb } from '../domain/switches/show-announcement.ts'
import type { AppEnv } from '../http/env.ts'
import { honoPath, mountPublic } from '../http/mount-endpoint.ts'

/** What the site tells everybody. Browsers keep the answer for a minute, so that reading on asks nothing again. */
export function mountAnnouncement(app: Hono<AppEnv>): void {
  app.use(honoPath(announcementEndpoint), async (c, next) => {
    await next()
    if (c.res.ok) c.res.headers.set('Cache-Control', `public, max-age=${ANNOUNCEMENT_SECONDS}`)
  })
  mountPublic(app, announcementEndpoint, announcementVerb())
}
