import { formatDay } from '../../src/lib/dates.ts'
import { offeredMac, type Release, SYSTEM_GROUPS } from '../../src/contract/release.ts'

/** "84 MB" */
export function sizeOf({ bytes }: { bytes: number }): string {
  return `${Math.max(1, Math.round(bytes / 1_000_000))} MB`
}

/** The checksum of a file in hex. The release that comes with the project is an example, of files that do not exist. */
export function checksumOf({ sha256 }: { sha256: string }): string {
  return /^0+$/.test(sha256) ? 'Comes with the first release' : sha256
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
      `${isHidden ? 'Hidden' : 'Visible'} in ${meetingApp} on ${system}, ${formatDay(date)}`,
  )
  return `${titleOf(tried)}. ${parts.join('. ')}`
}

/** All that pages say because a release says it: whoever publishes the release stands for it. */
export function textsOf(releases: readonly Release[]): string[] {
  const { version, mac } = offeredMac(releases)
  return [
    ...releases.flatMap((release) => [titleOf(release), ...release.notes]),
    ...SYSTEM_GROUPS.map((group) => seenOn(releases, group)),
    `macOS ${mac.minimumSystem} or later`,
    version,
    sizeOf(mac.image),
    checksumOf(mac.image),
  ]
}
