import { setTimeout as pause } from 'node:timers/promises'

/** Repeats the question every 25 ms until the answer is true. False after `timeoutMs`, or when `signal` aborts. */
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

/** True when the URL answers with any status; `ok` requires a 2xx. */
export async function answers(url: string, { ok = false } = {}): Promise<boolean> {
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(2_000) })
    // The body is read to the end, because some servers log an error when a client leaves early.
    await response.arrayBuffer()
    return !ok || response.ok
  } catch {
    return false
  }
}
