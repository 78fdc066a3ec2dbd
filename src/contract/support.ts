import { defineEndpoint, success } from './endpoint.ts'
import { SUPPORT_QUERY_MAX } from './limits.ts'
import { FIELD } from './field-messages.ts'
import { asciiAddress, email, text } from './text.ts'
import { z } from './zod.ts'

export const Severity = z.enum(['low', 'medium', 'high'])

export const TicketInput = z.object({
  email: email().overwrite(asciiAddress),
  severity: Severity.default('medium'),
  isFeatureRequest: z.boolean().default(false),
  query: text({ max: SUPPORT_QUERY_MAX, required: FIELD.fillRequired, oneLine: false }),
})

export const submitTicketEndpoint = defineEndpoint({
  id: 'submitTicket',
  method: 'POST',
  path: '/api/support/submit',
  access: 'public',
  body: TicketInput,
  success: success({ ticketNumber: z.string().max(20) }),
  limit: 'support',
})
