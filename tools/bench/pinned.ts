import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runNpm } from '../launcher/bootstrap/packages.mjs'
import { root } from '../launcher/settings.ts'

/** Packages that are no dependencies of the project, because only this command needs them: each has a lockfile here. */
const PINNED = { lighthouse: 'Lighthouse', 'better-auth': 'better-auth' } as const

/**
 * The folder that a pinned package is installed in, under .tools/, without its install scripts. Throws a LaunchError when
 * it cannot be downloaded.
 */
export async function installPinned(name: keyof typeof PINNED): Promise<string> {
  const pinned = join(import.meta.dirname, name)
  const lock = readFileSync(join(pinned, 'package-lock.json'))
  const mark = createHash('sha256').update(lock).digest('hex').slice(0, 8)
  const folder = join(root, '.tools', `${name}-${mark}`)
  if (existsSync(join(folder, 'node_modules/.package-lock.json'))) return folder
  console.log(`Fetching ${PINNED[name]} into .tools/ (once) …`)
  mkdirSync(folder, { recursive: true })
  for (const file of ['package.json', 'package-lock.json']) {
    copyFileSync(join(pinned, file), join(folder, file))
  }
  const options = ['--ignore-scripts', '--no-audit', '--no-fund']
  await runNpm(['ci', ...options], { cwd: folder, what: PINNED[name] })
  return folder
}
