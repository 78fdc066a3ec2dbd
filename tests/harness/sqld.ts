import { join } from 'node:path'
import { applyMigrations } from '../../tools/services/migrate.ts'
import { sqldSpec } from '../../tools/services/sqld.ts'
import { root } from '../../tools/launcher/settings.ts'
import { onFreePort, runService, type Service } from './run-service.ts'
import { scratchFolder } from './scratch-folder.ts'

export interface Sqld extends Service {
  url: string
}

/** A libSQL server of one's own, empty but migrated; its files go when it is stopped. */
export async function startSqld({ isMigrated = true } = {}): Promise<Sqld> {
  const scratch = scratchFolder('sqld')
  const logFile = join(scratch.path, 'sqld.log')
  const folder = join(scratch.path, 'data')
  const { service, url } = await onFreePort(async (port) => ({
    service: await runService(sqldSpec({ root, folder, port, logFile })),
    url: `http://127.0.0.1:${port}`,
  }))
  if (isMigrated) await applyMigrations({ url })
  return {
    ...service,
    url,
    stop: async () => {
      await service.stop()
      scratch.remove()
    },
  }
}
