import { onFreePort } from './run-service.ts'
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
export function startSite({ vars = {} }: { vars?: Record<string, string> } = {}): Promise<Site> {
  return onFreePort(async (port) => {
    const webhookUrl = `http://127.0.0.1:${port}/api/webhooks/razorpay`
    const [sqld, emulator] = await Promise.all([startSqld(), startEmulator({ webhookUrl })])
    const stopOthers = () => Promise.all([emulator.stop(), sqld.stop()])
    const setup = { databaseUrl: sqld.url, emulatorUrl: emulator.url, vars, port }
    const worker = await startWorker(setup).catch(async (error: unknown) => {
      await stopOthers()
      throw error
    })
    return {
      worker,
      sqld,
      emulator,
      stop: async () => {
        await worker.stop()
        await stopOthers()
      },
    }
  })
}
