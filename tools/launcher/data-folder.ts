import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { LaunchError } from './bootstrap/launch-error.mjs'

/** The cause, and what to do about it first. */
const reasons: Record<string, string> = {
  EEXIST: 'there is a file of that name. Move it away',
  ENOTDIR: 'a part of that path is a file. Move it away',
  ENOENT: 'no folder can be made there. Make it yourself',
  EACCES: 'you may not write there. Give yourself the right to',
  EPERM: 'you may not write there. Give yourself the right to',
  EROFS: 'that disk can only be read. Make it writable',
  ENOSPC: 'that disk is full. Make room on it',
}

/** Creates the folder that holds all data of a copy. Throws a LaunchError when that is not possible. */
export function prepareDataFolder(dataDir: string): void {
  for (const folder of [dataDir, join(dataDir, 'log')]) {
    try {
      mkdirSync(folder, { recursive: true })
      accessSync(folder, constants.W_OK)
      // Who cannot enter it reads none of its files.
      if (folder === dataDir) chmodSync(folder, 0o700)
    } catch (error) {
      throw rejection(folder, error)
    }
  }
}

function rejection(folder: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const reason = reasons[code]
  if (reason === undefined) return error
  return new LaunchError(
    `Nothing can be stored in ${folder}: ${reason}, or choose another folder: DATA_DIR=.data-2 npm start`,
    { cause: error },
  )
}

const SQLITE_BUSY = 5

/** Where a copy answers. */
interface Copy {
  address: string
  databaseUrl: string
}

/**
 * Keeps other copies away from the folder until this process ends: two database servers would corrupt the same files. The
 * lock is SQLite's own on an empty file, which the kernel releases however the process ends. Throws a LaunchError that
 * names the copy that holds it.
 *
 * @param copy what this copy is, for the message of the next one and for `databaseOfRunningCopy`
 */
export function lockDataFolder(dataDir: string, copy: Copy): DatabaseSync {
  const lock = tryLock(dataDir)
  if (lock === null) {
    throw new LaunchError(
      `Already running at ${readHolder(dataDir)[0]}. Stop it there with Ctrl-C, ` +
        'or start a second copy with another PORT, DB_PORT, RAZORPAY_PORT and DATA_DIR.',
    )
  }
  writeFileSync(
    holderFile(dataDir),
    `${copy.address} (process ${process.pid})\n${copy.databaseUrl}`,
  )
  return lock
}

/** The database of the copy that runs on this folder, whatever its ports; null when none runs. */
export function databaseOfRunningCopy(dataDir: string): string | null {
  if (!existsSync(dataDir)) return null
  const lock = tryLock(dataDir)
  lock?.close()
  return lock === null ? readHolder(dataDir)[1] : null
}

const holderFile = (dataDir: string) => join(dataDir, 'running.txt')

/** The copy that holds the lock, or held it last: its address, its process and its database. */
function readHolder(dataDir: string): [string, string] {
  const [address = '', databaseUrl = ''] = readFileSync(holderFile(dataDir), 'utf8').split('\n')
  return [address, databaseUrl]
}

/** Null when another process holds the lock. */
function tryLock(dataDir: string): DatabaseSync | null {
  const lock = new DatabaseSync(join(dataDir, 'lock'))
  try {
    lock.exec('BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return null
    throw error
  }
}
