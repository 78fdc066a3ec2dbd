import { formatDate } from '../../src/lib/dates.ts'
import type { Release, SYSTEM_GROUPS } from '../../src/contract/release.ts'

/** "84 MB" */
export function sizeOf({ bytes }: { bytes: number }): string {
  return `${Math.max(1, Math.round(bytes / 1_000_000))} MB`
}

/** Whether this file exists. The release that comes with the project is an example, of files that do not. */
export function isPublished({ sha256 }: { sha256: string }): boolean {
  return !/^0+$/.test(sha256)
}

/** The heading of a release in the changelog. */
export function titleOf({ version }: Release): string {
  return `Version ${version}`
}

type Group = (typeof SYSTEM_GROUPS)[number]

/** What was seen with the newest release that was tried on these systems, for the table of /screen-sharing. */
export function seenOn(releases: readonly Release[], group: Group): string {
  const tried = releases.find(({ seen }) => seen.some((one) => one.group === group))
  if (tried === undefined) return 'Not tested yet'
  const sights = tried.seen.filter((one) => one.group === group)
  const parts = sights.map(
    ({ isHidden, meetingApp, system, date }) =>
      `${isHidden ? 'Hidden' : 'Visible'} in ${meetingApp} on ${system}, ${formatDate(date)}`,
  )
  return `${titleOf(tried)}. ${parts.join('. ')}`
}
