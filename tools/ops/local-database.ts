import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { LaunchError } from '../launcher/bootstrap/launch-error.mjs'
import {
  databaseOfRunningCopy,
  lockDataFolder,
  prepareDataFolder,
} from '../launcher/data-folder.ts'
import { freePort } from '../services/ports.ts'
import { endService, startService } from '../services/service.ts'
import { sqldSpec } from '../services/sqld.ts'

/**
 * Runs work on the database of a data folder: the running one, or one that is started for it on a free port and stopped
 * afterwards. Throws a LaunchError when there is no database.
 */
export async function withLocalDatabase(
  dataDir: string,
  work: (url: string) => Promise<void>,
): Promise<void> {
  const running = databaseOfRunningCopy(dataDir)
  if (running !== null) return work(running)
  if (!existsSync(join(dataDir, 'database'))) {
    throw new LaunchError(
      `There is no database in ${dataDir}. Make one with npm start, or name another with DATA_DIR or DATABASE_URL.`,
    )
  }
  return withOwnServer(dataDir, work)
}

/**
 * Runs work on a new, empty database of a data folder, and removes the database when the work fails. Throws a LaunchError
 * when the folder has a database.
 */
export async function withNewDatabase(
  dataDir: string,
  work: (url: string) => Promise<void>,
): Promise<void> {
  const folder = join(dataDir, 'database')
  if (existsSync(folder)) {
    throw new LaunchError(
      `There is a database in ${folder}. Move it away, or choose another folder with DATA_DIR.`,
    )
  }
  prepareDataFolder(dataDir)
  return withOwnServer(dataDir, work, { keepsFailed: false })
}

async function withOwnServer(
  dataDir: string,
  work: (url: string) => Promise<void>,
  { keepsFailed = true } = {},
): Promise<void> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const lock = lockDataFolder(dataDir, { address: `${url}, for npm run ops`, databaseUrl: url })
  const folder = join(dataDir, 'database')
  const logFile = join(dataDir, 'log/database.log')
  const server = await startService(sqldSpec({ folder, port, logFile }))
  let isKept = keepsFailed
  try {
    await work(url)
    isKept = true
  } finally {
    await endService(server)
    if (!isKept) rmSync(folder, { recursive: true })
    lock.close()
  }
}
