import { spawn, type ChildProcess } from 'node:child_process'
import { quietTools } from '../services/quiet-tools.ts'
import { packageBinary } from './package-binary.ts'
import { root } from './settings.ts'

/** How one tool ended: its exit code and all that it printed. */
export interface ToolRun {
  code: number
  output: string
}

export interface ToolOptions {
  /** Its command, where that is not named as the package is. */
  name?: string
  env?: NodeJS.ProcessEnv
  /** Prints at once instead of keeping it; `output` is empty then. */
  shows?: boolean
}

/** Runs a package's command line under this very Node. */
export function runTool(
  packageName: string,
  args: string[],
  { name = packageName, env = {}, shows = false }: ToolOptions = {},
): Promise<ToolRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [packageBinary(root, packageName, name), ...args], {
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

/** Some tools write colours into a pipe. */
function plainWhenPiped({ FORCE_COLOR }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return process.stdout.isTTY || FORCE_COLOR ? {} : { NO_COLOR: '1' }
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Ended politely, we end with the tool and not before it, so that it can clear up. */
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
