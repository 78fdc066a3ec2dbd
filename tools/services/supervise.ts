import type { ChildProcess } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { LaunchError } from './launch-error.ts'
import { listProcesses, signalGroup } from './process-list.ts'
import { howItEnded, spawnService, type ServiceSpec } from './service.ts'
import { waitUntil } from './wait-until.ts'

export interface Watchers {
  onSpawn: (name: string, group: number) => void
  onGone: (group: number) => void
  say: (line: string) => void
}

export interface Supervised {
  name: string
  /** The process of this moment; another one after a restart. */
  pid: () => number | undefined
  stop: () => Promise<void>
}

const firstDelayMs = 100
const longestDelayMs = 5_000
const steadyAfterMs = 20_000
const stopTimeoutMs = 4_000

/** Starts a service, waits until it answers, then starts it again whenever it dies. Throws a LaunchError when it never answers. */
export async function supervise(spec: ServiceSpec, watchers: Watchers): Promise<Supervised> {
  const stopping = new AbortController()
  let child = launch(spec, watchers)
  let delayMs = firstDelayMs

  async function keepAlive(): Promise<void> {
    for (;;) {
      const startedAt = performance.now()
      await ended(child)
      clearGroup(child, watchers)
      if (stopping.signal.aborted) return
      if (performance.now() - startedAt > steadyAfterMs) delayMs = firstDelayMs
      watchers.say(`${spec.name} ${howItEnded(child)}; starting it again.`)
      await pause(delayMs)
      delayMs = Math.min(delayMs * 2, longestDelayMs)
      // A stop may have come during the pause; TypeScript cannot see that.
      if (isAborted(stopping.signal)) return
      child = launch(spec, watchers)
    }
  }

  await untilReady(spec, child, watchers)
  const watching = keepAlive()
  return {
    name: spec.name,
    pid: () => child.pid,
    stop: async () => {
      stopping.abort()
      await endGroup(child)
      await watching
    },
  }
}

const isAborted = (signal: AbortSignal) => signal.aborted

function launch(spec: ServiceSpec, watchers: Watchers): ChildProcess {
  const child = spawnService(spec)
  child.once('error', (error) => {
    watchers.say(`${spec.name} could not be started: ${error.message}`)
  })
  if (child.pid) watchers.onSpawn(spec.name, child.pid)
  return child
}

const hasEnded = (child: ChildProcess) =>
  child.exitCode !== null || child.signalCode !== null || child.pid === undefined

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (hasEnded(child)) resolve()
    else
      child.once('exit', () => {
        resolve()
      })
  })
}

async function untilReady(
  spec: ServiceSpec,
  child: ChildProcess,
  watchers: Watchers,
): Promise<void> {
  const gone = new AbortController()
  void ended(child).then(() => {
    gone.abort()
  })
  const timing = { timeoutMs: spec.readyTimeoutMs, signal: gone.signal }
  if ((await waitUntil(spec.isReady, timing)) && !hasEnded(child)) return
  const what = hasEnded(child)
    ? howItEnded(child)
    : `did not answer within ${spec.readyTimeoutMs / 1000} s`
  await endGroup(child)
  clearGroup(child, watchers)
  throw new LaunchError(`${spec.name} ${what}. ${lastWords(spec)}`)
}

function lastWords({ logFile }: ServiceSpec): string {
  if (!existsSync(logFile)) return ''
  const lines = readFileSync(logFile, 'utf8').trim().split('\n')
  const telling = lines.findLast((line) => /error|panic|taken/i.test(line)) ?? lines.at(-1)
  return telling ? `It said: ${telling.trim().slice(0, 300)} (all of it: ${logFile})` : ''
}

/** What a dead leader leaves behind (workerd, most of all) would keep the port. */
function clearGroup(child: ChildProcess, watchers: Watchers): void {
  if (!child.pid) return
  signalGroup(child.pid, 'SIGKILL')
  watchers.onGone(child.pid)
}

async function endGroup(child: ChildProcess): Promise<void> {
  const group = child.pid
  if (!group || !signalGroup(group, 'SIGTERM')) return
  const isGone = () => Promise.resolve(listProcesses().every((entry) => entry.group !== group))
  if (!(await waitUntil(isGone, { timeoutMs: stopTimeoutMs }))) signalGroup(group, 'SIGKILL')
  await ended(child)
}
