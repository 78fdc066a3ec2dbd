import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statfsSync,
} from 'node:fs'
import { freemem } from 'node:os'
import { join } from 'node:path'

const ROOT = '/dev/shm'
const NAME = /^worker-of-(\d+)$/
const own = join(ROOT, `worker-of-${process.pid}`)

/**
 * A folder in memory for this process, on Linux. Null where there is none, or less than `bytes` are free. It is removed
 * when this process ends, and by the next one after a SIGKILL.
 */
export function memoryFolder(bytes: number): string | null {
  try {
    accessSync(ROOT, constants.W_OK)
    const { bavail, bsize } = statfsSync(ROOT)
    if (Math.min(bavail * bsize, freemem()) < bytes) return null
    if (existsSync(own)) return own
    removeAbandoned()
    mkdirSync(own, { mode: 0o700 })
    process.once('exit', () => {
      remove(own)
    })
    return own
  } catch {
    return null
  }
}

function removeAbandoned(): void {
  for (const name of readdirSync(ROOT)) {
    const pid = NAME.exec(name)?.[1]
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) remove(join(ROOT, name))
  }
}

const remove = (path: string) => {
  rmSync(path, { recursive: true, force: true })
}
