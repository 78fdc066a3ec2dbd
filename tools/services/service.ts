import { spawn, type ChildProcess } from 'node:child_process'
import { appendFileSync, closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'

/** One program behind the site: how it is started and how one knows that it answers. */
export interface ServiceSpec {
  name: string
  command: string
  args: string[]
  env: NodeJS.ProcessEnv
  logFile: string
  /** Also shows on the terminal what it writes to stderr. */
  echoesErrors?: boolean
  /** Shows all it writes on the terminal, and none of it in the log file. */
  ownsTerminal?: boolean
  /** What to do when it ended with these words, where one can tell. */
  adviseOn?: (words: string) => string | null
  isReady: () => Promise<boolean>
  readyTimeoutMs: number
}

/** Starts the program as the leader of a process group of its own, so that all it starts can be ended with it. */
export function spawnService(spec: ServiceSpec): ChildProcess {
  const { command, args, env } = spec
  if (spec.ownsTerminal) {
    return spawn(command, args, { env, detached: true, stdio: ['ignore', 'inherit', 'inherit'] })
  }
  mkdirSync(dirname(spec.logFile), { recursive: true })
  const log = openSync(spec.logFile, 'a')
  const errors = spec.echoesErrors ? 'pipe' : log
  const child = spawn(command, args, { env, detached: true, stdio: ['ignore', log, errors] })
  closeSync(log)
  child.stderr?.on('data', (bytes: Buffer) => {
    appendFileSync(spec.logFile, bytes)
    process.stderr.write(bytes)
  })
  return child
}

/** How it ended, in words: "ended with 1" or "was ended by SIGKILL". */
export function howItEnded(child: ChildProcess): string {
  return child.signalCode
    ? `was ended by ${child.signalCode}`
    : `ended with ${child.exitCode ?? '?'}`
}
