import type { Context as HonoContext } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { FieldError } from '../../src/contract/endpoint.ts'
import { ERROR_STATUS, type ErrorCode } from '../../src/contract/errors.ts'

interface FailureDetail {
  errors?: FieldError[]
  retryAfterSeconds?: number
  extra?: Record<string, unknown>
}

/** A Hono context of any app that gives each request an id. */
type Answering = Pick<HonoContext, 'header' | 'json'> & { get: (key: 'requestId') => string }

/** Answers with the failure envelope: the only shape of every refusal and fault. */
export function fail(
  c: Answering,
  code: ErrorCode,
  message: string,
  { errors, retryAfterSeconds, extra }: FailureDetail = {},
): Response {
  const status: ContentfulStatusCode = ERROR_STATUS[code]
  if (retryAfterSeconds !== undefined) c.header('Retry-After', String(retryAfterSeconds))
  if (code === 'UNAUTHENTICATED') c.header('WWW-Authenticate', 'Bearer')
  return c.json(
    {
      success: false,
      code,
      message,
      ...(errors === undefined ? {} : { errors }),
      ...extra,
      requestId: c.get('requestId'),
    },
    status,
  )
}
