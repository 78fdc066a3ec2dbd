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
})
