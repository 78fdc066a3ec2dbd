import { spawn, type ChildProcess } from 'node:child_process'
import { appendFileSync, closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { LaunchError } from '../launcher/bootstrap/launch-error.mjs'
import { root } from '../launcher/settings.ts'
import { waitUntil } from './wait-until.ts'

/** One program behind the site: how to start it and how to know that it answers. */
export interface ServiceSpec {
  name: string
  command: string
  args: string[]
  env: NodeJS.ProcessEnv
  logFile: string
  /** Also shows the program's stderr on the terminal. */
  echoesErrors?: boolean
  /** Shows all its output on the terminal and writes no log file. */
  ownsTerminal?: boolean
  /** The next step after the program ended with this message; null when unknown. */
  adviseOn?: (words: string) => string | null
  isReady: () => Promise<boolean>
  readyTimeoutMs: number
}

const STOP_TIMEOUT_MS = 4_000

/**
 * The shell becomes the program. A second shell reads from a pipe that only we hold open: when we die, for whatever
 * reason, the kernel closes the pipe, and the second shell kills the whole process group.
 */
const GUARDED = '(read -r _ <&3; kill -s KILL 0) >/dev/null 2>&1 & exec "$@" 3<&-'

/** Where Node keeps the code that it has compiled: an emulator then starts in less than half the processor time. */
const NODE_COMPILE_CACHE = join(root, 'node_modules/.cache/sotto/compiled')

/** Starts the program, as the leader of its own process group, and does not wait for it. It cannot outlive us. */
export function spawnService(spec: ServiceSpec): ChildProcess {
  const args = ['-c', GUARDED, spec.name, spec.command, ...spec.args]
  const options = { env: { NODE_COMPILE_CACHE, ...spec.env }, detached: true }
  if (spec.ownsTerminal) {
    return spawn('/bin/sh', args, { ...options, stdio: ['ignore', 'inherit', 'inherit', 'pipe'] })
  }
  mkdirSync(dirname(spec.logFile), { recursive: true })
  const log = openSync(spec.logFile, 'a')
  const errors = spec.echoesErrors ? 'pipe' : log
  const child = spawn('/bin/sh', args, { ...options, stdio: ['ignore', log, errors, 'pipe'] })
  closeSync(log)
  let isLogged = true
  child.stderr?.on('data', (bytes: Buffer) => {
    process.stderr.write(bytes)
    const wasLogged = isLogged
    isLogged = appendTo(spec.logFile, bytes)
    if (wasLogged && !isLogged) {
      process.stderr.write(
        `There is no room for ${spec.logFile}: make some. Until then nothing is logged.\n`,
      )
    }
  })
  return child
}

/** Whether there was room for it. */
function appendTo(file: string, bytes: Buffer): boolean {
  try {
    appendFileSync(file, bytes)
    return true
  } catch {
    return false
  }
}

/** Starts a service and waits until it answers. Throws a LaunchError, with its last words, when it does not. */
export async function startService(spec: ServiceSpec): Promise<ChildProcess> {
  const child = spawnService(spec)
  const gone = new AbortController()
  child.once('exit', () => {
    gone.abort()
  })
  const timing = { timeoutMs: spec.readyTimeoutMs, signal: gone.signal }
  if ((await waitUntil(spec.isReady, timing)) && !hasEnded(child)) return child
  const what = hasEnded(child)
    ? howItEnded(child)
    : `did not answer within ${spec.readyTimeoutMs / 1000} s`
  await endService(child)
  throw new LaunchError(`${spec.name} ${what}. ${lastWords(spec)}`)
}

/** Asks the program and all that it started to end, and kills what has not ended within four seconds. */
export async function endService(child: ChildProcess): Promise<void> {
  signalGroup(child, 'SIGTERM')
  await Promise.race([ended(child), pause(STOP_TIMEOUT_MS, undefined, { ref: false })])
  await killService(child)
}

/** Kills the program and all that it started, which (workerd most of all) would keep the port. */
export async function killService(child: ChildProcess): Promise<void> {
  signalGroup(child, 'SIGKILL')
  await ended(child)
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal)
  } catch {
    // The group has no process left.
  }
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null

/** Resolves when the program itself has ended, for whatever reason. */
export async function ended(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  await new Promise((resolve) => child.once('exit', resolve))
}

/** How it ended, in words: "ended with 1" or "was ended by SIGKILL". */
export function howItEnded(child: ChildProcess): string {
  return child.signalCode
    ? `was ended by ${child.signalCode}`
    : `ended with ${child.exitCode ?? '?'}`
}

/** The program's last message and, where known, the next step. */
function lastWords({ logFile, adviseOn }: ServiceSpec): string {
  const words = existsSync(logFile) ? lastWordsOf(readFileSync(logFile, 'utf8')) : null
  if (words === null) return ''
  const advice = adviseOn?.(words) ?? ''
  return `It said: ${words} (all of it: ${logFile})${advice && `. ${advice}`}`
}

/** Frames of a call stack and their headings, as Rust and JavaScript print them. They do not help a developer here. */
const STACK = /^\s*(\d+: |at |stack backtrace:|note: run with )/i
const TELLING = /error|panic|taken/i

/** The line of a log that most likely says why the program ended; null for an empty log. */
export function lastWordsOf(log: string): string | null {
  const lines = log.split('\n').filter((line) => line.trim() !== '' && !STACK.test(line))
  const words = lines.findLast((line) => TELLING.test(line)) ?? lines.at(-1)
  return words?.trim().slice(0, 300) ?? null
}
