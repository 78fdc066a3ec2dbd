import { accessSync, constants, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { LaunchError } from '../services/launch-error.ts'

/** Why, and the first thing to do about it. */
const reasons: Record<string, string> = {
  EEXIST: 'there is a file of that name. Move it away',
  ENOTDIR: 'a part of that path is a file. Move it away',
  ENOENT: 'no folder can be made there. Make it yourself',
  EACCES: 'you may not write there. Give yourself the right to',
  EPERM: 'you may not write there. Give yourself the right to',
  EROFS: 'that disk can only be read. Make it writable',
  ENOSPC: 'that disk is full. Make room on it',
}

/** Makes the folder that a copy keeps everything in. Throws a LaunchError where there can be none. */
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
