import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Site } from '../../../tests/harness/services.ts'
import { intoFile, type Seed } from '../seed.ts'

/** Fills the database of a site while its server is stopped. */
export async function fill({ sqld }: Site, seed: (into: Seed) => Promise<void>): Promise<void> {
  await sqld.kill()
  const folder = join(sqld.folder, 'data/dbs/default')
  const { run, close } = intoFile(join(folder, 'data'))
  await seed({ run, now: Date.now() })
  close()
  // After a stop that it calls unclean, the server reads the whole database before it answers.
  rmSync(join(folder, '.sentinel'))
  await sqld.restart()
}
