import { execFileSync } from 'node:child_process'
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'
import { root } from '../launcher/settings.ts'

/** What figures depend on: the machine and how busy it was, and what was measured when. */
export function describeRun() {
  return {
    at: new Date().toISOString(),
    commit: commitOf(),
    cores: availableParallelism(),
    model: cpus()[0]?.model ?? '',
    memoryGb: Math.round(totalmem() / 2 ** 30),
    /** Processes that wanted a core in the last minute. */
    load: loadOf(),
    node: process.version,
    platform: `${process.platform}-${process.arch}`,
  }
}

/** How many processes wanted a core in the last minute. */
export const loadOf = () => Number((loadavg()[0] ?? Number.NaN).toFixed(1))

/** The commit of the tree, with a plus when files differ from it; empty outside of Git. */
function commitOf(): string {
  try {
    const git = (...args: string[]) =>
      execFileSync('git', args, {
        cwd: root,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      })
    const isClean = git('status', '--porcelain').trim() === ''
    return `${git('rev-parse', '--short', 'HEAD').trim()}${isClean ? '' : '+'}`
  } catch {
    return ''
  }
}
