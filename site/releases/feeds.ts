import { DARWIN, offeredMac, offeredWindows, type Release } from '../../src/contract/release.ts'
import { fill } from '../text/fill.ts'

type File = NonNullable<Release['mac']>['image']

/**
 * The feeds of electron-updater: `latest-mac.yml` and `latest.yml`, with the newest release of that system. JSON is YAML.
 * https://www.electron.build/auto-update
 */
export function electronFeed(releases: readonly Release[], system: 'mac' | 'windows'): string {
  if (system === 'mac') {
    const release = offeredMac(releases)
    const { update, image, minimumSystem } = release.mac
    return electronInfo(release, [update, image], DARWIN[minimumSystem])
  }
  const release = offeredWindows(releases)
  return electronInfo(release, [release.windows.update], release.windows.minimumSystem)
}

/** `minimumSystemVersion` is compared with what Node's `os.release()` says. */
function electronInfo(release: Release, files: readonly File[], minimumSystemVersion: string) {
  const [first] = files
  return pretty({
    version: release.version,
    files: files.map(({ url, sha512, bytes }) => ({ url, sha512, size: bytes })),
    path: first?.url,
    sha512: first?.sha512,
    releaseDate: instantOf(release),
    releaseNotes: notesOf(release),
    minimumSystemVersion,
  })
}

/**
 * The manifest of Tauri's updater for `{{target}}`, or null while the newest release of that system has no bundle for it.
 * https://v2.tauri.app/plugin/updater/#static-json-file
 */
export function tauriFeed(
  releases: readonly Release[],
  target: 'darwin' | 'windows',
): string | null {
  const isMac = target === 'darwin'
  const release = isMac ? offeredMac(releases) : offeredWindows(releases)
  const file = isMac ? release.mac?.tauri : release.windows?.tauri
  if (file === undefined) return null
  const platforms = isMac ? ['darwin-x86_64', 'darwin-aarch64'] : ['windows-x86_64']
  return pretty({
    version: release.version,
    notes: notesOf(release),
    pub_date: instantOf(release),
    platforms: Object.fromEntries(platforms.map((platform) => [platform, file])),
  })
}

function notesOf({ notes }: Release): string {
  return notes.map((note) => `- ${fill(note)}`).join('\n')
}

function instantOf({ date }: Release): string {
  return `${date}T00:00:00.000Z`
}

function pretty(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
