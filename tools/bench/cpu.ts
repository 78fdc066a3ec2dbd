import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** The kernel counts CPU time in hundredths of a second. */
const TICKS = 100

/** The CPU time that a process has taken so far, in seconds; NaN except on Linux. */
export function cpuSeconds(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // After the name, which may hold blanks: the state is the third field, user and system time are the 14th and 15th.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) / TICKS
  } catch {
    return Number.NaN
  }
}

/** The id of the workerd that a host started. */
export function workerdOf(host: { pid: () => number | undefined }): number {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,comm='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/))
    .map(([pid, parent, ...name]) => ({
      pid: Number(pid),
      parent: Number(parent),
      name: name.join(' '),
    }))
  const below = new Set([host.pid()])
  for (let size = 0; size < below.size;) {
    size = below.size
    for (const { pid, parent } of rows) if (below.has(parent)) below.add(pid)
  }
  const found = rows.find(({ pid, name }) => below.has(pid) && /workerd/.test(name))
  if (found === undefined) throw new Error('The host has no workerd')
  return found.pid
}
