import { isAlive, listProcesses } from '../services/process-list.ts'

/**
 * The processes between us and the npm that started us, npm included; empty when npm did not. npm passes a polite
 * signal on, but a kill -9 of it (or of the old Node in between) would leave us running without anybody to stop us.
 */
export function npmAncestors(env: NodeJS.ProcessEnv): number[] {
  if (!env.npm_lifecycle_event) return []
  const parents = new Map(listProcesses().map((entry) => [entry.pid, entry]))
  const chain: number[] = []
  let current = parents.get(process.ppid)
  while (current && current.pid > 1 && chain.length < 4) {
    chain.push(current.pid)
    if (/^npm |npm-cli/.test(current.command)) return chain
    current = parents.get(current.parent)
  }
  return []
}

/** Calls `onGone` once, within a second of the first of these processes ending. */
export function watchProcesses(pids: number[], onGone: () => void): void {
  if (pids.length === 0) return
  const timer = setInterval(() => {
    if (pids.every(isAlive)) return
    clearInterval(timer)
    onGone()
  }, 1_000)
  timer.unref()
}
