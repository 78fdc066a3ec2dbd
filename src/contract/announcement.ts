import { defineEndpoint, success } from './endpoint.ts'
import { Instant } from './text.ts'
import { z } from './zod.ts'

/** Fits on two lines of a phone. */
export const ANNOUNCEMENT_MAX = 200

/** The Worker and browsers each keep the answer for this many seconds, so a new announcement takes at most twice as long. */
export const ANNOUNCEMENT_SECONDS = 60

export const Announcement = z.object({
  /** Counts the changes, so that a browser knows which announcement its user has closed. */
  version: z.int(),
  text: z.string().max(ANNOUNCEMENT_MAX),
  until: Instant.nullable(),
})
export type Announcement = z.infer<typeof Announcement>

/** What the site tells everyone for a while. */
export const announcementEndpoint = defineEndpoint({
  id: 'announcement',
  method: 'GET',
  path: '/api/announcement',
  access: 'public',
  success: success({ announcement: Announcement.nullable() }),
})
