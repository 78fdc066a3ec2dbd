import { z } from 'zod'
import { LaunchError } from '../launcher/bootstrap/launch-error.mjs'
import { askNpm } from '../launcher/bootstrap/packages.mjs'
import { root } from '../launcher/settings.ts'

const Severity = z.enum(['info', 'low', 'moderate', 'high', 'critical'])

const Report = z.object({
  vulnerabilities: z.record(
    z.string(),
    z.object({
      severity: Severity,
      range: z.string(),
      via: z.array(z.union([z.string(), z.object({ title: z.string(), url: z.string() })])),
    }),
  ),
})

/** What npm says instead when the advisories cannot be asked. */
const Unreachable = z.object({ message: z.string() })

/**
 * `npm run audit`: asks npm's advisories about every package of package-lock.json. Throws a LaunchError that names the
 * vulnerable ones. Where the advisories cannot be reached it says that nothing was checked and does not fail.
 */
export async function audit(): Promise<void> {
  const { output, errors } = await askNpm(['audit', '--json', '--package-lock-only'], root)
  console.log(judgeAudit(output, errors))
}

/** One line about npm's answer. Throws a LaunchError when it names a vulnerable package. */
export function judgeAudit(output: string, errors: string): string {
  const answer = parse(output)
  const { data: report } = Report.safeParse(answer)
  if (report === undefined) {
    const { data } = Unreachable.safeParse(answer)
    const reason = data?.message ?? errors.trim().split('\n')[0] ?? ''
    const line = `NOT CHECKED: the advisories cannot be reached (${reason}).`
    // GitHub shows such a line at the top of the run.
    return process.env.GITHUB_ACTIONS ? `::warning::${line}` : line
  }
  const found = Object.entries(report.vulnerabilities).flatMap(([name, { severity, range, via }]) =>
    via
      .filter((cause) => typeof cause !== 'string')
      .map(({ title, url }) => `${name} ${range} (${severity}): ${title}, ${url}`),
  )
  if (found.length === 0) return 'No known vulnerabilities.'
  throw new LaunchError(`Known vulnerabilities, update these packages:\n  ${found.join('\n  ')}`)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
