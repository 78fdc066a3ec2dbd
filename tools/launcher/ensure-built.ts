import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { LaunchError } from '../services/launch-error.ts'
import { quietTools } from '../services/quiet-tools.ts'
import { inputsHash } from './inputs-hash.ts'
import { withLock } from './bootstrap/lock.mjs'

/** Builds site and Worker into dist/ unless what is there was built from this very tree. True when it built. */
export async function ensureBuilt(root: string, say: (line: string) => void): Promise<boolean> {
  const wanted = inputsHash(root, process.env)
  const stamp = join(root, 'dist/.built-from')
  const isBuilt = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted
  if (isBuilt()) return false
  return withLock(join(root, '.data/build.lock'), async () => {
    if (isBuilt()) return false
    say('Building the site and the Worker …')
    await build(root)
    writeFileSync(stamp, wanted)
    return true
  })
}

async function build(root: string): Promise<void> {
  const logFile = join(root, '.data/log/build.log')
  const { code, output } = await runAstro(root, ['build'])
  mkdirSync(dirname(logFile), { recursive: true })
  writeFileSync(logFile, output)
  if (code === 0) return
  const tail = output.trim().split('\n').slice(-25).join('\n')
  throw new LaunchError(`${tail}\nThe build failed: see above, or the whole of it in ${logFile}`)
}

function runAstro(root: string, args: string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [astroBinary(root), ...args], {
      cwd: root,
      env: { ...process.env, ...quietTools, NODE_ENV: 'production' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const chunks: Buffer[] = []
    child.stdout.on('data', (bytes: Buffer) => chunks.push(bytes))
    child.stderr.on('data', (bytes: Buffer) => chunks.push(bytes))
    child.once('error', reject)
    child.once('close', (code) => {
      resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString() })
    })
  })
}

/** The script behind `npx astro`, run without npx, which would cost half a second. */
export function astroBinary(root: string): string {
  const manifest = createRequire(join(root, 'package.json')).resolve('astro/package.json')
  const { bin }: { bin: { astro: string } } = JSON.parse(readFileSync(manifest, 'utf8'))
  return join(dirname(manifest), bin.astro)
}
