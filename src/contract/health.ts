import { defineEndpoint, success } from './endpoint.ts'
import { z } from './zod.ts'

export const liveEndpoint = defineEndpoint({
  id: 'live',
  method: 'GET',
  path: '/api/health/live',
  access: 'public',
  success: success({}),
})

const Part = z.object({ status: z.enum(['ok', 'degraded', 'down']), detail: z.string().max(200) })

export const healthEndpoint = defineEndpoint({
  id: 'health',
  method: 'GET',
  path: '/api/health',
  access: 'public',
  limit: 'health',
  success: success({
    live: z.literal(true),
    ready: z.literal(true),
    parts: z.record(z.string().max(20), Part),
  }),
  errors: ['NOT_READY'],
})
