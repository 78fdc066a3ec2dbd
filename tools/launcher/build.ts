import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describeWorker } from '../build/worker-description.ts'
import { LaunchError } from './bootstrap/launch-error.mjs'
import { withLock } from './bootstrap/lock.mjs'
import { hashFiles } from './hash-files.ts'
import { runTool } from './run-tool.ts'
import { root } from './settings.ts'

/** Builds site and Worker into dist/ unless what is there was built from this very tree. True when it built. */
export async function ensureBuilt(): Promise<boolean> {
  const wanted = inputsHash(root, process.env)
  const stamp = join(root, 'dist/.built-from')
  // Wrangler finds the built Worker by the second file, and dist/ may outlive it.
  const deployed = join(root, '.wrangler/deploy/config.json')
  const isBuilt = () =>
    existsSync(deployed) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted
  if (isBuilt()) return false
  return withLock(join(root, '.data/build.lock'), async () => {
    if (isBuilt()) return false
    console.log('Building the site and the Worker …')
    rmSync(stamp, { force: true })
    await buildWithAstro()
    writeFileSync(stamp, wanted)
    return true
  })
}

async function buildWithAstro(): Promise<void> {
  const logFile = join(root, '.data/log/build.log')
  const { code, output } = await runTool('astro', ['build'], { env: { NODE_ENV: 'production' } })
  mkdirSync(dirname(logFile), { recursive: true })
  writeFileSync(logFile, output)
  // The build puts a copy of the secrets beside the Worker; those are handed over at the start instead.
  rmSync(join(root, 'dist/server/.dev.vars'), { force: true })
  if (code === 0) {
    await describeWorker(join(root, 'dist'))
    return
  }
  const tail = output.trim().split('\n').slice(-25).join('\n')
  throw new LaunchError(`${tail}\nThe build failed: see above, or the whole of it in ${logFile}`)
}

const INPUT_FOLDERS = ['site', 'src', 'edge-api', 'public', 'tools/build']
const INPUT_FILES = [
  ...['astro.config.mjs', 'wrangler.toml', 'tsconfig.json', 'package-lock.json'],
  // A pattern skips folders that begin with a dot.
  'site/pages/.well-known/*',
]

/** One hash over all that a build reads, so that an unchanged tree is not built again. Tests are left out. */
export function inputsHash(tree: string, { CLOUDFLARE_ENV = '' }: NodeJS.ProcessEnv): string {
  const inFolders = INPUT_FOLDERS.map((folder) => `${folder}/**/!(*.test.ts|*.test.tsx)`)
  return hashFiles(tree, [...inFolders, ...INPUT_FILES], `${process.version} ${CLOUDFLARE_ENV}`)
}
