import type { z } from '../../../src/contract/zod.ts'
import { type RazorpayFault, toFault } from './razorpay-fault.ts'

const PAUSES_MS = [200, 800]
/** Longer than this nobody waits for an answer: the caller is told to come back. */
const RETRY_AFTER_MAX_MS = 5_000

/** What a call needs besides the network: handed in, so that tests do not wait. */
export interface Pacing {
  sleep: (ms: number) => Promise<void>
  /** From 0 up to 1. */
  jitter: () => number
  /** After this long without an answer a request is given up. */
  timeoutMs: number
}

/** Sends once. Throws RazorpayFault, also for an answer of another shape than Razorpay's. */
export async function send<Schema extends z.ZodType>(
  request: () => Promise<unknown>,
  schema: Schema,
): Promise<z.output<Schema>> {
  try {
    return schema.parse(await request())
  } catch (error) {
    throw toFault(error)
  }
}

/** Sends up to `tries` times while Razorpay is out of reach or busy. Only for what is safe to repeat. */
export async function sendAgain<Schema extends z.ZodType>(
  request: () => Promise<unknown>,
  schema: Schema,
  { tries, pacing }: { tries: number; pacing: Pacing },
): Promise<z.output<Schema>> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await send(request, schema)
    } catch (error) {
      const fault = toFault(error)
      const pause = pauseBefore(attempt, fault, pacing)
      if (attempt + 1 >= tries || pause === null) throw fault
      await pacing.sleep(pause)
    }
  }
}

/** Null when a repetition makes no sense. */
function pauseBefore(attempt: number, fault: RazorpayFault, { jitter }: Pacing): number | null {
  if (!fault.isRetryable) return null
  const usual = (PAUSES_MS[attempt] ?? 0) * (1 + jitter() / 4)
  if (fault.retryAfterMs === null) return usual
  return fault.retryAfterMs > RETRY_AFTER_MAX_MS ? null : Math.max(usual, fault.retryAfterMs)
}

/** Runs a gateway method so that only the port's errors leave it. */
export async function asPort<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Error && error.name === 'RazorpayFault') throw toFault(error).toPortError()
    throw error
  }
}
