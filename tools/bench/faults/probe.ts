import { Worker } from 'node:worker_threads'
import { z } from 'zod'

const Sample = z.object({ isAnswered: z.boolean(), ms: z.number() })

/** What the liveness endpoint did during one case. */
export interface Liveness {
  /** The longest time an answer took, in milliseconds. */
  longestMs: number
  /** The longest time without an answer because nothing was there to answer, in milliseconds. */
  absentMs: number
}

export interface Probe {
  /** What happened since the last call. */
  take: () => Liveness
  stop: () => Promise<number>
}

/** Asks `/api/health/live` all the time, one call after the other. */
export function startProbe(siteUrl: string): Probe {
  const workerData = { url: `${siteUrl}/api/health/live` }
  const thread = new Worker(new URL('probe-thread.ts', import.meta.url), { workerData })
  let seen: Liveness = { longestMs: 0, absentMs: 0 }
  let absentSince: number | null = null
  thread.on('message', (message: unknown) => {
    const { isAnswered, ms } = Sample.parse(message)
    const now = performance.now()
    // A connection that is refused or breaks does so at once; one that hangs is an answer that takes too long.
    if (isAnswered || ms >= 1_000) seen.longestMs = Math.max(seen.longestMs, ms)
    if (isAnswered) {
      absentSince = null
    } else {
      absentSince ??= now - ms
      seen.absentMs = Math.max(seen.absentMs, now - absentSince)
    }
  })
  return {
    take: () => {
      const taken = seen
      seen = { longestMs: 0, absentMs: 0 }
      return taken
    },
    stop: () => thread.terminate(),
  }
}
