import { z } from './zod.ts'

/** The version of a release of the desktop app: three numbers. */
export const Version = z
  .string()
  .regex(/^\d{1,4}\.\d{1,4}\.\d{1,4}$/)
  .max(14)

const Url = z.url({ protocol: /^https$/ }).max(500)

/** A file that people or updaters fetch. */
const ReleaseFile = z.strictObject({
  url: Url,
  bytes: z.int().min(1),
  /** In hex, as `shasum -a 256` prints it: for people. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** In Base64, as electron-builder writes it: for electron-updater. */
  sha512: z.string().regex(/^[A-Za-z0-9+/]{86}==$/),
})

/** The bundle of Tauri's updater, with the text of its `.sig` file. */
const TauriFile = z.strictObject({ url: Url, signature: z.string().min(1).max(2_000) })

/** Versions of macOS that a release may need, with the version of their kernel, which is what electron-updater compares. */
export const DARWIN = {
  '10.15': '19.0.0',
  '11': '20.0.0',
  '12': '21.0.0',
  '13': '22.0.0',
  '14': '23.0.0',
  '15': '24.0.0',
  '26': '25.0.0',
} as const

const MacBuild = z.strictObject({
  minimumSystem: z.enum(['10.15', '11', '12', '13', '14', '15', '26']),
  /** The disk image that people download. */
  image: ReleaseFile,
  /** The ZIP file from which electron-updater updates. */
  update: ReleaseFile,
  tauri: TauriFile.optional(),
})

const WindowsBuild = z.strictObject({
  /** The first build of Windows that it runs on: "10.0.10240". */
  minimumSystem: z.string().regex(/^10\.0\.\d{5}$/),
  /** Where people get it: its page in the Microsoft Store. */
  page: Url,
  /** The installer from which electron-updater updates where the store does not. */
  update: ReleaseFile,
  tauri: TauriFile.optional(),
})

/** The rows of the table on /screen-sharing. */
export const SYSTEM_GROUPS = ['windowsNew', 'windowsOld', 'macOld', 'macNew'] as const

/** What somebody who shared a screen with this release saw. */
const Sighting = z.strictObject({
  group: z.enum(SYSTEM_GROUPS),
  /** "Windows 11 24H2" */
  system: z.string().min(4).max(40),
  /** "Zoom 6.2" */
  meetingApp: z.string().min(4).max(40),
  isHidden: z.boolean(),
  date: z.iso.date(),
})

/** A release of the desktop app: one file in site/content/releases. Notes may contain names of site/text/fill.ts. */
export const Release = z.strictObject({
  version: Version,
  date: z.iso.date(),
  /** What changed, a sentence each. */
  notes: z.array(z.string().min(8).max(240).endsWith('.')).min(1).max(20),
  /** The oldest version that may still be used once this one is out. */
  oldestSupported: Version,
  /** Why nobody should use this version; left out while they may. */
  withdrawn: z.string().min(8).max(240).optional(),
  mac: MacBuild.optional(),
  windows: WindowsBuild.optional(),
  seen: z.array(Sighting).max(100),
})
export type Release = z.infer<typeof Release>

/** Which of two versions is newer: positive when the first is. */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [one, other].map((version) => version.split('.').map(Number))
  for (const place of [0, 1, 2]) {
    const difference = (left?.[place] ?? 0) - (right?.[place] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/**
 * The releases of files by their name without `.json`, the newest first. Throws, which stops the build, for a file that
 * does not fit its schema or is named after another version, when no release is offered for a system, and when the newest
 * one that is not withdrawn, which sets the minimum, does not support what a system is offered.
 */
export function readReleases(files: Readonly<Record<string, unknown>>): Release[] {
  const releases = Object.entries(files).map(([name, content]) => {
    const release = Release.parse(content)
    if (release.version !== name) throw new Error(`${name}.json is about ${release.version}.`)
    if (compareVersions(release.oldestSupported, name) > 0)
      throw new Error(`${name}.json supports only what is newer than itself.`)
    return release
  })
  const sorted = [...releases].sort((one, other) => compareVersions(other.version, one.version))
  const newest = firstOf(sorted)
  for (const { version } of [offeredMac(sorted), offeredWindows(sorted)]) {
    if (compareVersions(version, newest.oldestSupported) >= 0) continue
    throw new Error(`${newest.version}.json does not support ${version}, the newest for a system.`)
  }
  return sorted
}

/** The newest release for macOS that is not withdrawn. Throws when there is none. */
export function offeredMac(
  releases: readonly Release[],
): Release & { mac: z.infer<typeof MacBuild> } {
  return firstOf(releases.flatMap(({ mac, ...rest }) => (mac ? [{ ...rest, mac }] : [])))
}

/** The newest release for Windows that is not withdrawn. Throws when there is none. */
export function offeredWindows(
  releases: readonly Release[],
): Release & { windows: z.infer<typeof WindowsBuild> } {
  return firstOf(
    releases.flatMap(({ windows, ...rest }) => (windows ? [{ ...rest, windows }] : [])),
  )
}

function firstOf<Some extends Release>(newestFirst: readonly Some[]): Some {
  const offered = newestFirst.find(({ withdrawn }) => withdrawn === undefined)
  if (offered === undefined) throw new Error('No release is offered for macOS or for Windows.')
  return offered
}
