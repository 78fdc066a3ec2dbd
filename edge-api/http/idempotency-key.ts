import type { Context as HonoContext } from 'hono'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { SERVER } from '../../src/contract/messages.ts'
import { IdempotencyKey } from '../../src/contract/purchase.ts'
import { Refusal } from '../domain/refusal.ts'

/** The `Idempotency-Key` of a call that honours one; null without. */
export function readIdempotencyKey(c: HonoContext, endpoint: Endpoint): string | null {
  const header = c.req.header('Idempotency-Key')
  if (header === undefined || endpoint.idempotent !== true) return null
  const parsed = IdempotencyKey.safeParse(header)
  if (parsed.success) return parsed.data
  throw new Refusal('VALIDATION_FAILED', SERVER.validation, {
    errors: [{ path: 'Idempotency-Key', msg: 'Use 1 to 100 printable ASCII characters' }],
  })
}
