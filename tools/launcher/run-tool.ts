import { spawn } from 'node:child_process'
import { quietTools } from '../services/quiet-tools.ts'
import { packageBinary } from './package-binary.ts'
import { root } from './settings.ts'

/** How one tool ended: its exit code and all that it printed. */
export interface ToolRun {
  code: number
  output: string
}

export interface ToolOptions {
  env?: NodeJS.ProcessEnv
  /** Prints at once instead of keeping it; `output` is empty then. */
  shows?: boolean
}

/** Runs a package's command line under this very Node. */
export function runTool(
  packageName: string,
  args: string[],
  { env = {}, shows = false }: ToolOptions = {},
): Promise<ToolRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [packageBinary(root, packageName), ...args], {
      cwd: root,
      env: { ...process.env, ...quietTools, ...plainWhenPiped(process.env), ...env },
      stdio: shows ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    })
    const chunks: Buffer[] = []
    child.stdout?.on('data', (bytes: Buffer) => chunks.push(bytes))
    child.stderr?.on('data', (bytes: Buffer) => chunks.push(bytes))
    child.once('error', reject)
    child.once('close', (code) => {
      resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString() })
    })
  })
}

/** Some tools write colours into a pipe. */
function plainWhenPiped({ FORCE_COLOR }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return process.stdout.isTTY || FORCE_COLOR ? {} : { NO_COLOR: '1' }
}
