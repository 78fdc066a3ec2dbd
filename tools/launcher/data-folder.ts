import { accessSync, constants, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
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
    } catch (error) {
      throw refusal(folder, error)
    }
  }
}

function refusal(folder: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const reason = reasons[code]
  if (reason === undefined) return error
  return new LaunchError(
    `Nothing can be stored in ${folder}: ${reason}, or choose another folder: DATA_DIR=.data-2 npm start`,
    { cause: error },
  )
}

const SQLITE_BUSY = 5

/**
 * Keeps other copies away from the folder until this process ends: two database servers on the same files would spoil
 * them. The lock is SQLite's own on an empty file, which the kernel releases however the process ends. Throws a
 * LaunchError that names the copy that holds it.
 *
 * @param address where this copy will answer, for the message the next one prints
 */
export function lockDataFolder(dataDir: string, address: string): DatabaseSync {
  const holderFile = join(dataDir, 'running.txt')
  const lock = new DatabaseSync(join(dataDir, 'lock'))
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    if (!(error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY))
      throw error
    throw new LaunchError(
      `Already running at ${readFileSync(holderFile, 'utf8')}. Stop it there with Ctrl-C, ` +
        'or start a second copy with another PORT, DB_PORT, RAZORPAY_PORT and DATA_DIR.',
      { cause: error },
    )
  }
  writeFileSync(holderFile, `${address} (process ${process.pid})`)
  return lock
}
