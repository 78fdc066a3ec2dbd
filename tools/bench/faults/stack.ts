import { join } from 'node:path'
import { scratchFolder } from '../../../tests/harness/scratch-folder.ts'
import { testSecrets } from '../../../tests/harness/services.ts'
import { root, workerVars } from '../../launcher/settings.ts'
import { razorpayEmulatorSpec } from '../../services/emulators.ts'
import { applyMigrations } from '../../services/migrate.ts'
import { freePort } from '../../services/ports.ts'
import { sqldSpec } from '../../services/sqld.ts'
import { supervise, type Supervised } from '../../services/supervise.ts'
import { workerSpec } from '../../services/worker.ts'

/** What `npm start` runs, on ports of its own, restarted as `npm start` restarts it. */
export interface Stack {
  url: string
  databaseUrl: string
  emulatorUrl: string
  database: Supervised
  /** The process that runs workerd and cron. */
  host: Supervised
  stop: () => Promise<void>
}

/** Starts everything. The database keeps its files in `databaseFolder`, else in a folder that is deleted afterwards. */
export async function startStack(databaseFolder?: string): Promise<Stack> {
  const { path, remove } = scratchFolder('faults')
  const ports = { port: await freePort(), dbPort: await freePort(), razorpayPort: await freePort() }
  const { port, dbPort, razorpayPort } = ports
  const say = (line: string) => {
    console.log(`  ${line}`)
  }
  const logOf = (name: string) => join(path, `${name}.log`)
  const [database, emulator] = await Promise.all([
    supervise(
      sqldSpec({
        root,
        folder: databaseFolder ?? join(path, 'database'),
        port: dbPort,
        logFile: logOf('database'),
      }),
      say,
    ),
    supervise(
      razorpayEmulatorSpec({
        root,
        port: razorpayPort,
        webhookUrl: `http://127.0.0.1:${port}/api/webhooks/razorpay`,
        stateFile: join(path, 'razorpay.json'),
        keyId: testSecrets.RAZORPAY_KEY_ID,
        keySecret: testSecrets.RAZORPAY_KEY_SECRET,
        webhookSecret: testSecrets.RAZORPAY_WEBHOOK_SECRETS,
        logFile: logOf('razorpay'),
      }),
      say,
    ),
  ])
  const databaseUrl = `http://127.0.0.1:${dbPort}`
  await applyMigrations({ url: databaseUrl })
  const vars = { ...testSecrets, ...workerVars(ports) }
  const folder = join(root, 'dist')
  const host = await supervise(workerSpec({ folder, port, vars, logFile: logOf('site') }), say)
  return {
    url: `http://localhost:${port}`,
    databaseUrl,
    emulatorUrl: `http://localhost:${razorpayPort}`,
    database,
    host,
    stop: async () => {
      for (const service of [host, emulator, database]) await service.stop()
      remove()
    },
  }
}
