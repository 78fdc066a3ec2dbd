import { z } from '../../src/contract/zod.ts'
import { minutes } from '../domain/time.ts'

/** A violation of a page's content security policy, without anything that could be a secret. */
export interface Violation {
  page: string
  directive: string
  blocked: string
  source: string
  line: number
}

const Text = z.string().max(4_000).catch('')
const Line = z.number().int().catch(0)

/** What `report-uri` sends (CSP level 2), as `application/csp-report`. */
const OldReport = z
  .object({
    'csp-report': z.object({
      'document-uri': Text,
      'effective-directive': Text,
      'violated-directive': Text,
      'blocked-uri': Text,
      'source-file': Text,
      'line-number': Line,
    }),
  })
  .transform(({ 'csp-report': report }) => [
    {
      page: report['document-uri'],
      directive: report['effective-directive'] || report['violated-directive'],
      blocked: report['blocked-uri'],
      source: report['source-file'],
      line: report['line-number'],
    },
  ])

/** What `report-to` sends (Reporting API), as `application/reports+json`: a list that may hold reports of other kinds. */
const Reports = z
  .array(
    z.object({
      type: Text,
      body: z
        .object({
          documentURL: Text,
          effectiveDirective: Text,
          blockedURL: Text,
          sourceFile: Text,
          lineNumber: Line,
        })
        .nullable()
        .catch(null),
    }),
  )
  .max(100)
  .transform((reports) =>
    reports.flatMap(({ type, body }) =>
      type !== 'csp-violation' || body === null
        ? []
        : {
            page: body.documentURL,
            directive: body.effectiveDirective,
            blocked: body.blockedURL,
            source: body.sourceFile,
            line: body.lineNumber,
          },
    ),
  )

const AnyReport = z.union([OldReport, Reports])

/**
 * The violations on pages of `origin` that a browser's report names; null when it is no report. Reports about pages of
 * other sites are left out.
 */
export function readCspReport(report: unknown, origin: string): Violation[] | null {
  const { data } = AnyReport.safeParse(report)
  if (data === undefined) return null
  return data
    .filter(({ page }) => URL.parse(page)?.origin === origin)
    .map(({ page, directive, blocked, source, line }) => ({
      page: placeOf(page, origin),
      directive: wordOf(directive),
      blocked: placeOf(blocked, origin),
      source: placeOf(source, origin),
      line,
    }))
}

/**
 * An address without what may be secret: of our own pages the first part of the path, because links in mails have their
 * secret in the second; of a file its path; of another site its origin. Query and fragment are never kept.
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

const SAMPLE_MS = minutes(10)
const KINDS_MAX = 50

/** Lets the first violation of each kind through, at most 50 in ten minutes: a flood of reports fills no log. */
export class ViolationSample {
  private readonly kinds = new Set<string>()
  private startedAt = 0

  admits({ page, directive, blocked }: Violation, now: number): boolean {
    if (now - this.startedAt >= SAMPLE_MS) {
      this.kinds.clear()
      this.startedAt = now
    }
    const kind = `${page} ${directive} ${blocked}`
    if (this.kinds.has(kind) || this.kinds.size >= KINDS_MAX) return false
    this.kinds.add(kind)
    return true
  }
}
