import { offeredMac, offeredWindows, readReleases } from '../../src/contract/release.ts'

const files = import.meta.glob('../content/releases/*.json', { eager: true, import: 'default' })

/** The releases of the desktop app, the newest first. A file that does not fit its schema stops the build. */
export const releases = readReleases(
  Object.fromEntries(
    Object.entries(files).map(([path, content]) => [path.replace(/^.*\/|\.json$/g, ''), content]),
  ),
)

/** Where the app is downloaded, for pages of an account. */
export const downloads = {
  mac: offeredMac(releases).mac.image.url,
  windows: offeredWindows(releases).windows.page,
}
