import { systemClock } from '../../razorpay-emulator/core/clock.ts'
import { createEmulator, type Emulator } from '../../razorpay-emulator/emulator.ts'
import { databaseAt } from '../../../tests/harness/world/memory-database.ts'
import { OPERATORS as operators, testSecrets as secrets } from '../../../tests/harness/services.ts'

export const OPERATORS = operators
export const testSecrets = secrets

const emulators = new Map<string, Emulator>()
let started = 0

/** A database in memory in place of a server. */
export function startSqld() {
  started += 1
  const url = `memory:${started % 4}`
  databaseAt(url).clear()
  return { url, stop: () => undefined }
}

/** The emulator in this process in place of a program of its own. */
export function startEmulator({ webhookUrl }: { webhookUrl: string }) {
  started += 1
  const url = `http://127.0.0.1:${20_000 + started}`
  const emulator = createEmulator({
    clock: systemClock(),
    seed: `seed ${started}`,
    webhookUrl,
    publicOrigin: url,
    fetch: () => Promise.reject(new TypeError('nobody listens')),
  })
  emulators.set(url, emulator)
  const stop = () => {
    emulators.delete(url)
    emulator.close()
  }
  return { url, stop }
}

const fetchOutside = globalThis.fetch

/** Asks the emulator whose address it is, and ends when the caller gives up, as a connection does. */
globalThis.fetch = async (input, init) => {
  const request = new Request(input, init)
  const emulator = emulators.get(new URL(request.url).origin)
  if (emulator === undefined) return fetchOutside(request)
  // Not that of the new request, which nobody holds.
  const signal = init?.signal ?? (input instanceof Request ? input.signal : null)
  const aborted = new Promise<never>((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason))
  })
  const answer = await Promise.race([emulator.fetch(request), aborted])
  const body = answer.body?.pipeThrough(new TransformStream(), signal ? { signal } : {})
  return new Response(body ?? null, answer)
}
