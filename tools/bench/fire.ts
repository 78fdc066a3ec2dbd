import autocannon, { type Request } from 'autocannon'
import { newAddress } from '../../tests/harness/visitor.ts'
import { LaunchError } from '../launcher/bootstrap/launch-error.mjs'

export interface Call {
  path: string
  /** Sent as JSON with POST; a GET when left out. */
  body?: object
  bearer?: string
}

/** Durations of the answers in milliseconds, and how long all of them took together in seconds. */
export interface Volley {
  times: number[]
  seconds: number
}

/**
 * Sends calls over a number of connections, for some seconds or until a number is answered. Each comes from an address of
 * its own, so that none reaches a limit. Throws a LaunchError when an answer is not 200.
 */
export async function fire(
  url: string,
  next: () => Call,
  { connections, ...end }: { connections: number; duration?: number; amount?: number },
): Promise<Volley> {
  const times: number[] = []
  const statuses = new Set<number>()
  const began = performance.now()
  const setupRequest = (request: Request) => ({ ...request, ...requestOf(next()) })
  const { errors } = await new Promise<autocannon.Result>((resolve, reject) => {
    const options = { url, connections, sampleInt: 100, requests: [{ setupRequest }], ...end }
    const run = autocannon(options, (error: unknown, result) => {
      if (error) reject(new Error('autocannon failed', { cause: error }))
      else resolve(result)
    })
    run.on('response', (_client, status, _bytes, ms) => {
      times.push(ms)
      statuses.add(status)
    })
  })
  statuses.delete(200)
  if (errors > 0 || statuses.size > 0) {
    const answers = errors > 0 ? `${errors} calls failed` : `answers ${[...statuses].join(', ')}`
    throw new LaunchError(`${next().path}: ${answers}`)
  }
  return { times, seconds: (performance.now() - began) / 1_000 }
}

function requestOf({ path, body, bearer }: Call): Request {
  return {
    path,
    method: body ? 'POST' : 'GET',
    headers: {
      'cf-connecting-ip': newAddress(),
      ...(bearer && { authorization: `Bearer ${bearer}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  }
}

/** The value below which this share of all lies; NaN when there is none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
