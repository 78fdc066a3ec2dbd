import { readReleases } from '../../src/contract/release.ts'

const files = import.meta.glob('../content/releases/*.json', { eager: true, import: 'default' })

/** The releases of the desktop app, the newest first. A file that does not fit its schema stops the build. */
export const releases = readReleases(
  Object.fromEntries(
    Object.entries(files).map(([path, content]) => [path.replace(/^.*\/|\.json$/g, ''), content]),
  ),
)
