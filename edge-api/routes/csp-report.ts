import type { Hono } from 'hono'
import { Nothing } from '../../src/contract/endpoint.ts'
import { SERVER } from '../../src/contract/messages.ts'
import { parseJson } from '../../src/contract/parse-json.ts'
import { z } from '../../src/contract/zod.ts'
import { minutes } from '../domain/time.ts'
import type { AppEnv } from '../http/env.ts'
import { fail } from '../http/failure.ts'
import { limitBody } from '../http/input.ts'
import { limitCalls } from '../http/limit-calls.ts'
import { nameRoute } from '../http/mount-endpoint.ts'

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
    limitCalls({ method: 'POST', body: Nothing, limit: 'cspReport', access: 'public' }),
    nameRoute({ method: 'POST', path: CSP_REPORT_PATH }),
    async (c) => {
      if (!MEDIA_TYPE.test(c.req.header('Content-Type') ?? '')) {
        return fail(c, 'UNSUPPORTED_MEDIA_TYPE', 'Send a report as application/csp-report')
      }
      const { origin, now, log } = c.env.ctx
      const violation = readCspReport(parseJson(await c.req.text()), origin)
      if (violation === null) return fail(c, 'VALIDATION_FAILED', SERVER.validation)
      if (sample.admits(violation, now)) {
        log.warn('content security policy violated', { ...violation })
      }
      return c.body(null, 204)
    },
  )
}

/** A violation of a page's content security policy, without anything that could be a secret. */
type Violation = NonNullable<ReturnType<typeof readCspReport>>

const Text = z.string().max(4_000).catch('')

/** A browser's report to the `report-uri` of a policy, as `application/csp-report`. */
const Report = z.object({
  'csp-report': z.object({
    'document-uri': Text,
    'effective-directive': Text,
    'blocked-uri': Text,
    'source-file': Text,
    'line-number': z.number().int().catch(0),
  }),
})

/** The violation that a browser reports; null when it is not about a page of `origin`. */
function readCspReport(json: unknown, origin: string) {
  const report = Report.safeParse(json).data?.['csp-report']
  if (report === undefined || URL.parse(report['document-uri'])?.origin !== origin) return null
  return {
    page: placeOf(report['document-uri'], origin),
    directive: wordOf(report['effective-directive']),
    blocked: placeOf(report['blocked-uri'], origin),
    source: placeOf(report['source-file'], origin),
    line: report['line-number'],
  }
}

/**
 * An address without its secrets. For our own pages it is the first part of the path, because links in mails have their
 * secret in the second; for a file its path; for another site its origin. The query and the fragment are never kept.
 */
function placeOf(address: string, origin: string): string {
  const url = URL.parse(address)
  // Browsers also name kinds, such as `inline` or `eval`.
  if (url === null) return wordOf(address)
  if (!/^https?:$/.test(url.protocol)) return url.protocol
  if (url.origin !== origin) return url.origin.slice(0, 300)
  const [path = '/'] = /^\/_astro\/[\w.-]{1,100}$|^\/[\w-]{0,40}/.exec(url.pathname) ?? []
  return path
}

function wordOf(text: string): string {
  const [word = ''] = /^[a-z-]{1,40}/.exec(text) ?? []
  return word
}

/** The first words of the directives of our policy (public/_headers). */
const DIRECTIVE =
  /^(?:script|style|img|font|connect|media|frame|form|base|worker|manifest|object|default)\b/
/** The first parts of the paths of our pages. */
const PAGES = new Set(
  ` about careers changelog contact dashboard delivery admin device download forgot-password honest-use login not-me privacy
  profile receipt recording-law refunds register reset-password screen-sharing security subscription terms tokens verify-email`
    .split(/\s+/)
    .map((name) => `/${name}`),
)

const SAMPLE_MS = minutes(10)

/**
 * Lets the first violation of each kind through, once in ten minutes. A kind is a page and a directive of ours, and what else a
 * report names is one, so that invented reports are as few as real ones and hide none.
 */
class ViolationSample {
  private readonly kinds = new Set<string>()
  private startedAt = 0

  admits({ page, directive }: Violation, now: number): boolean {
    if (now - this.startedAt >= SAMPLE_MS) {
      this.kinds.clear()
      this.startedAt = now
    }
    const [own = 'another'] = DIRECTIVE.exec(directive) ?? []
    const kind = `${PAGES.has(page) ? page : 'another'} ${own}`
    if (this.kinds.has(kind)) return false
    this.kinds.add(kind)
    return true
  }
}
