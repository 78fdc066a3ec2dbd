import type { Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { SERVER } from '../../src/contract/messages.ts'
import { readCspReport, ViolationSample } from '../http/csp-report.ts'
import { limitBody } from '../http/body.ts'
import type { AppEnv } from '../http/env.ts'
import { fail } from '../http/failure.ts'
import { limitCalls } from '../http/limit-calls.ts'

export const CSP_REPORT_PATH = '/api/csp-report'
const MEDIA_TYPE = /^application\/csp-report\b/i

/**
 * Where browsers report violations of a page's content security policy (`report-uri`, which all of them send). Nothing is
 * stored: the first violation of each kind is logged. It is not in the contract, because no client of ours calls it.
 */
export function mountCspReport(app: Hono<AppEnv>): void {
  const sample = new ViolationSample()
  app.post(
    CSP_REPORT_PATH,
    limitBody({}),
    limitCalls({ limit: 'cspReport', access: 'public' }),
    async (c) => {
      c.set('route', `POST ${CSP_REPORT_PATH}`)
      if (!MEDIA_TYPE.test(c.req.header('Content-Type') ?? '')) {
        return fail(c, 'UNSUPPORTED_MEDIA_TYPE', 'Send a report as application/csp-report')
      }
      const { origin, now, log } = c.env.ctx
      const violation = readCspReport(parse(await c.req.text()), origin)
      if (violation === null) return fail(c, 'VALIDATION_FAILED', SERVER.validation)
      if (sample.admits(violation, now)) {
        log.warn('content security policy violated', { ...violation })
      }
      return c.body(null, 204)
    },
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new HTTPException(400, { cause })
  }
}
