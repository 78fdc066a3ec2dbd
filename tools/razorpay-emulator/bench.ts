import { expect, onTestFinished } from 'vitest'
import { manualClock } from './core/clock.ts'
import { requireDocumentedAnswer, requireDocumentedEvent } from './documented-shape.ts'
import { defaults } from './safety.ts'
import type { EmulatorOptions } from './emulator.ts'
import { createEmulator } from './emulator.ts'

/** A webhook as the merchant's endpoint received it. */
export interface Received {
  event: string
  eventId: string | null
  signature: string | null
  body: string
}

type Json = Record<string, unknown>

const origin = 'http://localhost:8790'

function isJson(value: unknown): value is Json {
  return value !== null && typeof value === 'object'
}

/** The value at a path in an answer, such as `error.reason`. */
export function at(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((inner, key) => (isJson(inner) ? inner[key] : undefined), value)
}

/** As `at`, for a text that must exist. */
export function textAt(value: unknown, path: string): string {
  const text = at(value, path)
  if (typeof text !== 'string') throw new Error(`No text at ${path} of ${JSON.stringify(value)}`)
  return text
}

/**
 * An emulator with a clock that the test moves, and an endpoint that keeps every webhook. Each answer and each event of
 * each test is compared with the shape that Razorpay documents.
 */
export function createBench(options: Partial<EmulatorOptions> = {}) {
  const received: Received[] = []
  const endpoint = { status: 200 }
  const undocumented: string[] = []
  onTestFinished(() => {
    expect(undocumented).toEqual([])
  })
  const emulator = createEmulator({
    clock: manualClock(),
    seed: 'bench',
    webhookUrl: defaults.webhookUrl,
    publicOrigin: origin,
    async fetch(input, init) {
      const request = new Request(input, init)
      const body = await request.text()
      const { headers } = request
      const json: unknown = JSON.parse(body)
      const event = textAt(json, 'event')
      try {
        requireDocumentedEvent(json)
      } catch (cause) {
        undocumented.push(String(cause))
      }
      received.push({
        event,
        eventId: headers.get('x-razorpay-event-id'),
        signature: headers.get('x-razorpay-signature'),
        body,
      })
      return new Response(null, { status: endpoint.status })
    },
    ...options,
  })

  async function call(method: string, path: string, body: unknown, headers: Json) {
    const response = await emulator.fetch(
      new Request(origin + path, {
        method,
        headers: { 'content-type': 'application/json', ...strings(headers) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    )
    const text = await response.text()
    const json: unknown = text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text
    return { status: response.status, json, headers: response.headers }
  }

  const authorization = `Basic ${btoa(`${defaults.keyId}:${defaults.keySecret}`)}`
  async function api(method: string, path: string, body?: unknown, headers: Json = {}) {
    const answer = await call(method, `/v1${path}`, body, { authorization, ...headers })
    if (isJson(answer.json)) requireDocumentedAnswer({ method, path, ...answer }, answer.json)
    return answer
  }
  const control = (method: string, path: string, body?: unknown) =>
    call(method, `/__emu${path}`, body, { 'x-emu-control': 'local' })
  const browser = (path: string, body?: unknown) =>
    call(body === undefined ? 'GET' : 'POST', path, body, {})

  return {
    emulator,
    received,
    endpoint,
    api,
    control,
    browser,
    /** Names of the received events, in order of arrival. */
    events: () => received.map((one) => one.event),
    async order(body: Json = {}) {
      const made = await api('POST', '/orders', { amount: 299_900, currency: 'INR', ...body })
      return textAt(made.json, 'id')
    },
    async pay(order_id: string, more: Json = {}) {
      const paid = await control('POST', '/payments', { order_id, method: 'card', ...more })
      return paid.json
    },
    fault: (action: Json, more: Json = {}) => control('POST', '/faults', { action, ...more }),
    /** Advances the clock until webhooks have arrived, but not until a late retry. */
    deliver: (seconds = 5) => emulator.advance(seconds),
  }
}

function strings(headers: Json): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}
