import { open } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'

const CHUNK_BYTES = 16 * 1024 ** 2
/** Some systems take file pages back that nobody has read for a minute. */
const PASS_MS = 20_000

/**
 * Keeps a file in memory, where a database server with enough of it has the whole database, by reading it again and
 * again until `stop` is called. Resolves after it was read once.
 */
export async function keepInMemory(path: string): Promise<{ stop: () => Promise<void> }> {
  const stopping = new AbortController()
  const file = await open(path)
  const buffer = Buffer.alloc(CHUNK_BYTES)
  const readOnce = async (passMs: number) => {
    const chunks = Math.ceil((await file.stat()).size / CHUNK_BYTES)
    for (let chunk = 0; chunk < chunks && !stopping.signal.aborted; chunk += 1) {
      await file.read(buffer, 0, CHUNK_BYTES, chunk * CHUNK_BYTES)
      if (passMs > 0) await pause(passMs / chunks)
    }
  }
  const readOn = async () => {
    while (!stopping.signal.aborted) await readOnce(PASS_MS)
    await file.close()
  }
  await readOnce(0)
  const reading = readOn()
  return {
    stop: () => {
      stopping.abort()
      return reading
    },
  }
}
