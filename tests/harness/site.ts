import { listenAnywhere } from '../../tools/services/ports.ts'
import { startEmulator, type Emulator } from './emulator.ts'
import { startSqld, type Sqld } from './sqld.ts'
import { startWorker, type Worker } from './worker.ts'

/** Everything `npm start` runs, on free ports and with an empty database. */
export interface Site {
  worker: Worker
  sqld: Sqld
  emulator: Emulator
  stop: () => Promise<void>
}

/** Starts a whole site of one's own: for a test that needs other vars or kills a part of it. */
export async function startSite({
  vars = {},
}: { vars?: Record<string, string> } = {}): Promise<Site> {
  // Held meanwhile: another service that got this port would answer in the Worker's place until it is stopped.
  const { port, close: letGo } = await listenAnywhere()
  const webhookUrl = `http://127.0.0.1:${port}/api/webhooks/razorpay`
  const [sqld, emulator] = await Promise.all([startSqld(), startEmulator({ webhookUrl })])
  const setup = { databaseUrl: sqld.url, emulatorUrl: emulator.url, vars, port }
  await letGo()
  const worker = await startWorker(setup)
  return {
    worker,
    sqld,
    emulator,
    stop: async () => {
      await worker.stop()
      await Promise.all([emulator.stop(), sqld.stop()])
    },
  }
}
