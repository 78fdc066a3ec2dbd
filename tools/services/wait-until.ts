import { setTimeout as pause } from 'node:timers/promises'

/** Asks again every 25 ms until the answer is yes. False when `timeoutMs` passed or `signal` says stop. */
export async function waitUntil(
  ask: () => Promise<boolean>,
  { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal },
): Promise<boolean> {
  const end = performance.now() + timeoutMs
  while (performance.now() < end && !signal?.aborted) {
    if (await ask()) return true
    await pause(25)
  }
  return false
}

/** True when the address answers at all, whatever it says; `ok` asks for a 2xx. */
export async function answers(url: string, { ok = false } = {}): Promise<boolean> {
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(2_000) })
    // Read to the end: a reader that goes away early is a fault in the log of some servers.
    await response.arrayBuffer()
    return !ok || response.ok
  } catch {
    return false
  }
}
