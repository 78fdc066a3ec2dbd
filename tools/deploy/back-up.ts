import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { backup } from '../ops/backup.ts'
import type { Environment } from './environment.ts'

/** How many backups of an environment are kept here; the store has those of each night. */
const KEPT = 10

/**
 * Writes the database of an environment into a file of a folder, encrypted if there is a key, and deletes all but the
 * newest of the environment. Returns the file.
 */
export async function backUpInto(
  folder: string,
  { name, secrets }: Pick<Environment, 'name' | 'secrets'>,
  key: string | undefined,
): Promise<string> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const time = new Date().toISOString().replaceAll(':', '-')
  const file = join(folder, `${name}-${time}.sql.gz${key ? '.age' : ''}`)
  const { DATABASE_URL: url = '', DATABASE_AUTH_TOKEN: authToken } = secrets
  await backup({ url, authToken }, file, key)
  const own = readdirSync(folder).filter((other) => other.startsWith(`${name}-`))
  for (const old of own.sort().slice(0, -KEPT)) rmSync(join(folder, old))
  return file
}
