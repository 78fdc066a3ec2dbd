import type { Hono } from 'hono'
import { applyEndpoint } from '../../src/contract/careers.ts'
import { submitTicketEndpoint } from '../../src/contract/support.ts'
import { applyForJob } from '../domain/careers/apply-for-job.ts'
import { submitTicket } from '../domain/support/submit-ticket.ts'
import type { AppEnv } from '../http/env.ts'
import { mountPublic } from '../http/mount-endpoint.ts'

/** Support tickets and job applications. */
export function mountInbox(app: Hono<AppEnv>): void {
  mountPublic(app, submitTicketEndpoint, submitTicket)
  mountPublic(app, applyEndpoint, applyForJob)
}
