import type { PaymentGateway } from '../../../edge-api/domain/ports/payments.ts'
import { gatewayToEmulator } from '../../../tools/ops/gateway-to-emulator.ts'
import { testSecrets } from '../services.ts'

/** Nothing listens here: the requests go to the test. */
const ADDRESS = 'http://127.0.0.1:9'

/** A call that pauses more often would never end. */
const PAUSES_MAX = 10

export interface Asked {
  method: string
  path: string
  query: Record<string, string>
  headers: Record<string, string>
  /** Null without one. */
  body: unknown
}

/** Razorpay's answer: text as it is, anything else as JSON. */
export interface Answer {
  /** 200 when left out. */
  status?: number
  body: unknown
  headers?: Record<string, string>
}

interface AnsweringRazorpay {
  gateway: PaymentGateway
  /** The requests so far. */
  asked: Asked[]
  /** How long it waited each time, in milliseconds. */
  pauses: number[]
  alerts: unknown[]
}

/** Records pauses instead of waiting. Throws when they do not end. */
export function notePauses(pauses: number[]): (ms: number) => Promise<void> {
  return (ms) => {
    if (pauses.length === PAUSES_MAX) throw new Error('it pauses again and again')
    pauses.push(ms)
    return Promise.resolve()
  }
}

/** The real gateway with a Razorpay that answers as the test says; null is a broken connection. Nothing waits. */
export function answeringRazorpay(
  answer: (asked: Asked) => Answer | null,
  { now = 0, jitter = 0 } = {},
): AnsweringRazorpay {
  const asked: Asked[] = []
  const pauses: number[] = []
  const alerts: unknown[] = []
  const pacing = {
    now: () => now,
    sleep: notePauses(pauses),
    jitter: () => jitter,
    fetch: async (input: string | URL | Request, init?: RequestInit) => {
      const question = await askedBy(new Request(input, init))
      asked.push(question)
      const found = answer(question)
      if (found === null) throw new TypeError('fetch failed')
      const { status = 200, body, headers = {} } = found
      return typeof body === 'string'
        ? new Response(body, { status, headers })
        : Response.json(body, { status, headers })
    },
  }
  const log = { alert: (event: string, fields = {}) => alerts.push({ event, fields }) }
  return { gateway: gatewayToEmulator(ADDRESS, testSecrets, pacing, log), asked, pauses, alerts }
}

async function askedBy(request: Request): Promise<Asked> {
  const { pathname, searchParams } = new URL(request.url)
  const text = await request.text()
  return {
    method: request.method,
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers: Object.fromEntries(request.headers),
    body: text === '' ? null : JSON.parse(text),
  }
}
