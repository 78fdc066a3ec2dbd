import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

export interface ProcessInfo {
  pid: number
  parent: number
  group: number
  command: string
}

/** Every process of this machine, read from /proc where there is one: slim images have no `ps`. */
export function listProcesses(): ProcessInfo[] {
  return process.platform === 'linux' ? fromProc() : fromPs()
}

function fromProc(): ProcessInfo[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProc(name))
}

function readProc(name: string): ProcessInfo[] {
  try {
    const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
    // The name in brackets may hold spaces and brackets itself; what follows the last one is numbers.
    const [state, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (state === 'Z') return []
    const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
    return [{ pid: Number(name), parent: Number(parent), group: Number(group), command }]
  } catch {
    return []
  }
}

function fromPs(): ProcessInfo[] {
  const text = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,pgid=,command='], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
  return text.split('\n').flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/.exec(line)
    if (!match) return []
    const [, pid, parent, group, command = ''] = match
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group), command }]
  })
}

/** Sends a signal to a process group; false when nobody of it is left. */
export function signalGroup(group: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(-group, signal)
    return true
  } catch {
    return false
  }
}

/** True while it runs. One that ended and waits to be buried by its parent does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
  return process.platform !== 'linux' || readProc(String(pid)).length > 0
}
