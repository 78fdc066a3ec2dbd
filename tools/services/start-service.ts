import type { ChildProcess } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { lastWordsOf } from './last-words.ts'
import { LaunchError } from './launch-error.ts'
import { listProcesses, signalGroup } from './process-list.ts'
import { howItEnded, spawnService, type ServiceSpec } from './service.ts'
import { waitUntil } from './wait-until.ts'

export interface Watchers {
  onSpawn: (name: string, group: number) => void
  onGone: (group: number) => void
  say: (line: string) => void
}

const stopTimeoutMs = 4_000

/** Starts a service once and waits until it answers. Throws a LaunchError, with its last words, when it does not. */
export async function startService(spec: ServiceSpec, watchers: Watchers): Promise<ChildProcess> {
  const child = launch(spec, watchers)
  const gone = new AbortController()
  void ended(child).then(() => {
    gone.abort()
  })
  const timing = { timeoutMs: spec.readyTimeoutMs, signal: gone.signal }
  if ((await waitUntil(spec.isReady, timing)) && !hasEnded(child)) return child
  const what = hasEnded(child)
    ? howItEnded(child)
    : `did not answer within ${spec.readyTimeoutMs / 1000} s`
  await endGroup(child)
  clearGroup(child, watchers)
  throw new LaunchError(`${spec.name} ${what}. ${lastWords(spec)}`)
}

/** Starts it and does not wait. */
export function launch(spec: ServiceSpec, watchers: Watchers): ChildProcess {
  const child = spawnService(spec)
  child.once('error', (error) => {
    watchers.say(`${spec.name} could not be started: ${error.message}`)
  })
  if (child.pid) watchers.onSpawn(spec.name, child.pid)
  return child
}

const hasEnded = (child: ChildProcess) =>
  child.exitCode !== null || child.signalCode !== null || child.pid === undefined

/** Resolves when the process itself has ended, however. */
export function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (hasEnded(child)) {
      resolve()
      return
    }
    child.once('exit', () => {
      resolve()
    })
  })
}

/** What the program said itself, and what to do about it where that is known. */
function lastWords({ logFile, adviseOn }: ServiceSpec): string {
  const words = existsSync(logFile) ? lastWordsOf(readFileSync(logFile, 'utf8')) : null
  if (words === null) return ''
  const advice = adviseOn?.(words) ?? ''
  return `It said: ${words} (all of it: ${logFile})${advice && `. ${advice}`}`
}

/** What a dead leader leaves behind (workerd, most of all) would keep the port. */
export function clearGroup(child: ChildProcess, watchers: Watchers): void {
  if (!child.pid) return
  signalGroup(child.pid, 'SIGKILL')
  watchers.onGone(child.pid)
}

/** Asks the whole process group to end, and makes it when it has not within four seconds. */
export async function endGroup(child: ChildProcess): Promise<void> {
  const group = child.pid
  if (!group || !signalGroup(group, 'SIGTERM')) return
  const isGone = () => Promise.resolve(listProcesses().every((entry) => entry.group !== group))
  if (!(await waitUntil(isGone, { timeoutMs: stopTimeoutMs }))) signalGroup(group, 'SIGKILL')
  await ended(child)
}
