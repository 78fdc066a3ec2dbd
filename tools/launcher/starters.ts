import { isAlive, listProcesses } from '../services/process-list.ts'

/**
 * The processes that started us and are to end with us: an old Node that handed over, and what stands between us and
 * npm, npm included. Each passes a polite signal on, but a kill -9 of it would leave us running with nobody to stop us.
 */
export function startersOf(env: NodeJS.ProcessEnv): number[] {
  const handedOver = env.LAUNCHED_BY ? [Number(env.LAUNCHED_BY)] : []
  return [...handedOver, ...(env.npm_lifecycle_event ? npmChain() : [])]
}

function npmChain(): number[] {
  const processes = new Map(listProcesses().map((entry) => [entry.pid, entry]))
  const chain: number[] = []
  let current = processes.get(process.ppid)
  while (current && current.pid > 1 && chain.length < 4) {
    chain.push(current.pid)
    if (/^npm |npm-cli/.test(current.command)) return chain
    current = processes.get(current.parent)
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
