import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LaunchError } from '../services/launch-error.ts'
import { say } from '../launcher/say.ts'

/**
 * The folder Lighthouse is installed in, under .tools/. It is no dependency of the project: it is as
 * large as all of them together and only this command needs it.
 */
export function installLighthouse(root: string): string {
  const pinned = join(root, 'tools/bench/lighthouse')
  const lock = readFileSync(join(pinned, 'package-lock.json'))
  const mark = createHash('sha256').update(lock).digest('hex').slice(0, 8)
  const folder = join(root, '.tools', `lighthouse-${mark}`)
  if (existsSync(join(folder, 'node_modules/.package-lock.json'))) return folder
  say('Fetching Lighthouse into .tools/ (once) …')
  mkdirSync(folder, { recursive: true })
  for (const file of ['package.json', 'package-lock.json']) {
    copyFileSync(join(pinned, file), join(folder, file))
  }
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: 'ignore',
  })
  if (status !== 0) throw new LaunchError('Lighthouse could not be fetched: check the network.')
  return folder
}
