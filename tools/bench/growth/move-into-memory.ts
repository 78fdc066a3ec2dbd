import { cpSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Site } from '../../../tests/harness/services.ts'
import { memoryFolder } from '../../services/memory-folder.ts'

/** Its log and the snapshots that the server makes of it took 0.7 times the database in a purge of a million rows. */
const ROOM_FACTOR = 2.5

/** Moves the files of a site's database into memory until this process ends. False where there is too little of it. */
export async function moveIntoMemory({ sqld }: Site): Promise<boolean> {
  const data = join(sqld.folder, 'data')
  const folder = memoryFolder(statSync(join(data, 'dbs/default/data')).size * ROOM_FACTOR)
  if (folder === null) return false
  await sqld.kill()
  const inMemory = mkdtempSync(join(folder, 'sotto-bench-'))
  process.once('exit', () => {
    rmSync(inMemory, { recursive: true, force: true })
  })
  cpSync(data, inMemory, { recursive: true })
  rmSync(data, { recursive: true })
  symlinkSync(inMemory, data)
  rmSync(join(data, 'dbs/default/.sentinel'))
  await sqld.restart()
  return true
}
