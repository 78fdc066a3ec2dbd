import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { LaunchError } from '../services/launch-error.ts'
import { withLock } from './bootstrap/lock.mjs'
import { inputsHash } from './inputs-hash.ts'
import { runTool } from './run-tool.ts'

/** Builds site and Worker into dist/ unless what is there was built from this very tree. True when it built. */
export async function ensureBuilt(root: string, say: (line: string) => void): Promise<boolean> {
  const wanted = inputsHash(root, process.env)
  const stamp = join(root, 'dist/.built-from')
  const isBuilt = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted
  if (isBuilt()) return false
  return withLock(join(root, '.data/build.lock'), async () => {
    if (isBuilt()) return false
    say('Building the site and the Worker …')
    rmSync(stamp, { force: true })
    await build(root)
    writeFileSync(stamp, wanted)
    return true
  })
}

async function build(root: string): Promise<void> {
  const logFile = join(root, '.data/log/build.log')
  const { code, output } = await runTool('astro', ['build'], { env: { NODE_ENV: 'production' } })
  mkdirSync(dirname(logFile), { recursive: true })
  writeFileSync(logFile, output)
  // The build puts a copy of the secrets beside the Worker; those are handed over at the start instead.
  rmSync(join(root, 'dist/server/.dev.vars'), { force: true })
  if (code === 0) {
    const { describeWorker } = await import('../build/describe-worker.ts')
    describeWorker(join(root, 'dist'))
    return
  }
  const tail = output.trim().split('\n').slice(-25).join('\n')
  throw new LaunchError(`${tail}\nThe build failed: see above, or the whole of it in ${logFile}`)
}
