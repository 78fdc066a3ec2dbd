import { ANNOUNCEMENT_MAX, Announcement } from './announcement.ts'
import { defineEndpoint, success } from './endpoint.ts'
import { Instant, text } from './text.ts'
import { z } from './zod.ts'

/** What operators change without a deployment. */

export const SWITCH = {
  textRequired: 'Write what everybody should know.',
  isSo: 'No change.',
  noAnnouncement: 'Nothing is announced.',
  isPast: 'Choose a later time, or none.',
} as const

export const switchesEndpoint = defineEndpoint({
  id: 'deskSwitches',
  method: 'GET',
  path: '/api/desk/switches',
  access: 'session',
  success: success({
    announcement: Announcement.nullable(),
    isTrialOn: z.boolean(),
    areSalesOn: z.boolean(),
  }),
  errors: ['FACTOR_REQUIRED', 'STEP_UP_REQUIRED'],
})

/** Acts at the desk that change what everybody sees or may do. */
export const SWITCH_ACTS = [
  z.object({
    kind: z.literal('announce'),
    text: text({ max: ANNOUNCEMENT_MAX, required: SWITCH.textRequired }),
    /** When it ends by itself; null when an operator ends it. */
    until: Instant.nullable(),
  }),
  z.object({ kind: z.literal('end_announcement') }),
  z.object({ kind: z.literal('switch'), name: z.enum(['trial', 'sales']), isOn: z.boolean() }),
] as const
