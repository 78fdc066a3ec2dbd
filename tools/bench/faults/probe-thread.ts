import { parentPort, workerData } from 'node:worker_threads'
import { setTimeout as pause } from 'node:timers/promises'

// A thread of its own asks the liveness endpoint, so that the load of the main thread is not measured with it.
const { url }: { url: string } = workerData
const GIVE_UP_MS = 30_000

for (;;) {
  const startedAt = performance.now()
  const isAnswered = await ask()
  parentPort?.postMessage({ isAnswered, ms: performance.now() - startedAt })
  await pause(isAnswered ? 100 : 20)
}

/** True for 200; false when nothing listens or the connection breaks. */
async function ask(): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(GIVE_UP_MS) })
    await answer.arrayBuffer()
    return answer.status === 200
  } catch {
    return false
  }
}
