import { spawn, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { root } from './settings.ts'

/** Keeps the build tools off the network: no telemetry, no lookup of newer versions or of this machine's location. */
export const quietTools = {
  ASTRO_TELEMETRY_DISABLED: '1',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  WRANGLER_SEND_METRICS: 'false',
  NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --disable-warning=ExperimentalWarning`,
}

/** How one tool ended: its exit code and all that it printed. */
export interface ToolRun {
  code: number
  output: string
}

interface ToolOptions {
  /** The command, when it is not named like the package. */
  name?: string
  env?: NodeJS.ProcessEnv
  /** Prints the output at once instead of keeping it; `output` is then empty. */
  shows?: boolean
}

/** Runs a package's command line under this very Node. */
export function runTool(
  packageName: string,
  args: string[],
  { name = packageName, env = {}, shows = false }: ToolOptions = {},
): Promise<ToolRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [packageBinary(packageName, name), ...args], {
      cwd: root,
      env: { ...process.env, ...quietTools, ...plainWhenPiped(process.env), ...env },
      stdio: shows ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    })
    const chunks: Buffer[] = []
    child.stdout?.on('data', (bytes: Buffer) => chunks.push(bytes))
    child.stderr?.on('data', (bytes: Buffer) => chunks.push(bytes))
    const forgetSignals = passSignalsTo(child)
    child.once('error', reject)
    child.once('close', (code) => {
      forgetSignals()
      resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString() })
    })
  })
}

/** The script behind `npx NAME`, to run without npx, which would cost half a second. */
export function packageBinary(packageName: string, name = packageName): string {
  const manifest = createRequire(join(root, 'package.json')).resolve(`${packageName}/package.json`)
  const { bin }: { bin: string | Record<string, string> } = JSON.parse(
    readFileSync(manifest, 'utf8'),
  )
  const path = typeof bin === 'string' ? bin : bin[name]
  if (!path) throw new Error(`${packageName} has no command ${name}`)
  return join(dirname(manifest), path)
}

/** Some tools write colours even into a pipe. */
function plainWhenPiped({ FORCE_COLOR }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return process.stdout.isTTY || FORCE_COLOR ? {} : { NO_COLOR: '1' }
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Passes signals on and waits for the tool to end, so that it can clean up. */
function passSignalsTo(child: ChildProcess): () => void {
  const pass = (signal: NodeJS.Signals) => {
    process.exitCode = 1
    child.kill(signal)
  }
  for (const signal of signals) process.on(signal, pass)
  return () => {
    for (const signal of signals) process.off(signal, pass)
  }
}
