import { formatDate } from '../../src/lib/dates.ts'
import { type Release, SYSTEM_GROUPS } from '../../src/contract/release.ts'

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

const GROUP_NAMES: Record<Group, string> = {
  windowsNew: 'Windows 11, and Windows 10 from version 2004',
  windowsOld: 'Windows 10 before version 2004',
  macOld: 'macOS 10.15 to 14',
  macNew: 'macOS 15 and later',
}

/** What we saw on /screen-sharing, by group of systems, with the newest release that was tried on each. */
export function whatWeSaw(releases: readonly Release[]): string {
  const groups = SYSTEM_GROUPS.flatMap((group) => {
    const tried = releases.find(({ seen }) => seen.some((one) => one.group === group))
    if (tried === undefined) return []
    const sights = tried.seen
      .filter((one) => one.group === group)
      .map(
        ({ isHidden, meetingApp, system, date }) =>
          `${isHidden ? 'hidden' : 'visible'} in ${meetingApp} on ${system} (${formatDate(date)})`,
      )
    return [`${GROUP_NAMES[group]}, with version ${tried.version}: ${sights.join('; ')}.`]
  })
  return groups.length > 0
    ? `What we saw. ${groups.join(' ')}`
    : 'We will list here what we saw ourselves, with the meeting app and the date, once a release has been tested.'
}
