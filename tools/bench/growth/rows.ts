import { startRecorder } from '../../../tests/harness/recorder.ts'
import { type Site, startWorker } from '../../../tests/harness/services.ts'
import { type Caller, CALLS, send } from './calls.ts'

/** The rows that one call of each kind reads, by a Worker of its own whose statements are recorded. */
export async function countRows(site: Site, caller: Caller): Promise<Record<string, number>> {
  const recorder = await startRecorder(site.sqld.url)
  const worker = await startWorker({ databaseUrl: recorder.url, emulatorUrl: site.emulator.url })
  const rows: Record<string, number> = {}
  try {
    for (const [name, call] of Object.entries(CALLS)) {
      const before = recorder.rowsRead()
      await send(worker.url, call, caller)
      rows[name] = recorder.rowsRead() - before
    }
  } finally {
    await worker.stop()
    await recorder.stop()
  }
  return rows
}
