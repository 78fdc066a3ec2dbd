import { defineEndpoint, success } from './endpoint.ts'
import { Instant } from './text.ts'
import { z } from './zod.ts'

export const exportDataEndpoint = defineEndpoint({
  id: 'exportData',
  method: 'GET',
  path: '/api/auth/export',
  access: 'session',
  success: success({
    exportedAt: Instant,
    data: z.record(z.string().max(40), z.unknown()),
  }),
  errors: ['STEP_UP_REQUIRED'],
  limit: 'export',
  isStreamed: true,
})

/** The tickets or applications that were sent in under the account's address, newest first; `before` is the `nextBefore` of the page before. */
export const ownSubmissionsEndpoint = defineEndpoint({
  id: 'ownSubmissions',
  method: 'GET',
  path: '/api/auth/export/submissions',
  access: 'session',
  query: z.object({
    kind: z.enum(['supportTickets', 'jobApplications']),
    before: z.coerce.number().int().min(0).max(1e15).optional(),
  }),
  success: success({
    submissions: z.array(z.record(z.string().max(40), z.unknown())).max(100),
    nextBefore: z.int().nullable(),
  }),
  errors: ['STEP_UP_REQUIRED'],
  limit: 'statement',
})
