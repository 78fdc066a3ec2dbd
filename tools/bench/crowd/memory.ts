import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const EVERY_MS = 1_000

/** The memory of one process at one instant: resident, in MB, `at` by the clock of `performance`. */
interface Sample {
  at: number
  mb: number
}

/** Looks every second how much memory each process has, until it is stopped. */
export function watchMemory<Name extends string>(pids: Record<Name, number>) {
  const samples = new Map<number, Sample[]>()
  const look = async () => {
    const ids = Object.values<number>(pids)
    const { stdout } = await promisify(execFile)('ps', ['-o', 'pid=,rss=', '-p', ids.join(',')])
    const at = performance.now()
    for (const line of stdout.trim().split('\n')) {
      const [pid = 0, kilobytes = 0] = line.trim().split(/\s+/).map(Number)
      samples.set(pid, [...(samples.get(pid) ?? []), { at, mb: kilobytes / 1_024 }])
    }
  }
  const timer = setInterval(() => void look(), EVERY_MS)
  return {
    stop: () => {
      clearInterval(timer)
    },
    /** The median between two instants, in MB; NaN when nobody looked. */
    between: (name: Name, from: number, to: number): number => {
      const all = samples.get(pids[name]) ?? []
      const within = all.filter(({ at }) => at >= from && at < to).map(({ mb }) => mb)
      return within.toSorted((a, b) => a - b)[Math.floor(within.length / 2)] ?? Number.NaN
    },
  }
}
