import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { days } from '../../edge-api/domain/time.ts'
import { backup } from '../ops/backup.ts'
import type { Environment } from './environment.ts'

/** How many backups of an environment are kept here, for a year at most; the store has those of each night. */
const KEPT = 10
const KEPT_MS = days(365)

/**
 * Writes the database of an environment into a file of a folder, encrypted if there is a key, and deletes all but the
 * newest of the environment, and those older than a year, as the privacy page says. What an interrupted backup left goes
 * too. Returns the file.
 */
export async function backUpInto(
  folder: string,
  { name, secrets }: Pick<Environment, 'name' | 'secrets'>,
  key: string | undefined,
  now = new Date(),
): Promise<string> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const time = now.toISOString().replaceAll(':', '-')
  const file = join(folder, `${name}-${time}.sql.gz${key ? '.age' : ''}`)
  const { DATABASE_URL: url = '', DATABASE_AUTH_TOKEN: authToken } = secrets
  await backup({ url, authToken }, file, key)
  const own = readdirSync(folder).filter((other) => other.startsWith(`${name}-`))
  const oldest = `${name}-${new Date(now.getTime() - KEPT_MS).toISOString().replaceAll(':', '-')}`
  const newest = own
    .filter((other) => !other.endsWith('.partial'))
    .sort()
    .slice(-KEPT)
  for (const file of own) {
    if (file < oldest || !newest.includes(file)) rmSync(join(folder, file))
  }
  return file
}
