import { accessSync, constants, statfsSync } from 'node:fs'
import { freemem } from 'node:os'

const FOLDER = '/dev/shm'

/** The folder of Linux whose files are memory. Null where there is none, or less than `bytes` of it are free. */
export function memoryFolder(bytes: number): string | null {
  try {
    accessSync(FOLDER, constants.W_OK)
    const { bavail, bsize } = statfsSync(FOLDER)
    return Math.min(bavail * bsize, freemem()) < bytes ? null : FOLDER
  } catch {
    return null
  }
}
