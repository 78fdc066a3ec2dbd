import { Buffer } from 'node:buffer'
import { expect, onTestFinished } from 'vitest'
import type { PaymentGateway } from '../../../edge-api/domain/ports/payments.ts'
import type { Delivery } from '../../../edge-api/domain/purchase/webhooks.ts'
import { type Clock, manualClock } from '../../../tools/razorpay-emulator/core/clock.ts'
import type { State } from '../../../tools/razorpay-emulator/core/state.ts'
import {
  requireDocumentedAnswer,
  requireDocumentedEvent,
} from '../../../tools/razorpay-emulator/documented-shape.ts'
import { createEmulator, type Emulator } from '../../../tools/razorpay-emulator/emulator.ts'
import { gatewayToEmulator } from '../../../tools/ops/gateway-to-emulator.ts'
import { testSecrets } from '../services.ts'
import { START_MS } from './world.ts'

/** Nothing listens here: the gateway's requests go straight to the emulator. */
const ADDRESS = 'http://127.0.0.1:9'

/** A webhook that was not delivered yet. */
export interface Sent extends Delivery {
  event: string
}

/** The emulator in this process, with a clock that a history moves and webhooks that wait until they are delivered. */
export interface Provider {
  address: string
  /** A request that reaches the emulator, unless `isReached` says otherwise. */
  fetch: typeof fetch
  isReached: () => boolean
  gateway: PaymentGateway
  /** Forgets everything and begins anew. */
  reset: (seed: string) => void
  state: () => State
  advance: (seconds: number) => Promise<void>
  /** A call of the control API; null when the emulator refuses it because it cannot happen. */
  control: (path: string, body?: unknown) => Promise<unknown>
  /** Opens the page of a payment link, which makes its order. */
  openLink: (code: string) => Promise<void>
  /** Webhooks that nobody delivered yet. */
  sent: Sent[]
}

/**
 * Opens the emulator behind the real gateway, with a clock of its own unless one is given. The test fails if an answer or
 * webhook does not match Razorpay's documents.
 */
export function openProvider(clock?: Clock): Provider {
  const sent: Sent[] = []
  const undocumented = new Set<string>()
  const documented = (check: () => void) => {
    try {
      check()
    } catch (cause) {
      undocumented.add(String(cause))
    }
  }
  onTestFinished(() => {
    expect([...undocumented]).toEqual([])
  })
  let emulator: Emulator = open('none')

  function open(seed: string): Emulator {
    return createEmulator({
      clock: clock ?? manualClock(START_MS),
      seed,
      webhookUrl: `${ADDRESS}/none`,
      publicOrigin: ADDRESS,
      fetch: async (input, init) => {
        const request = new Request(input, init)
        const bytes = await request.arrayBuffer()
        const json: { event: string } = JSON.parse(Buffer.from(bytes).toString())
        documented(() => {
          requireDocumentedEvent(json)
        })
        sent.push({
          event: json.event,
          body: new Uint8Array(bytes),
          signature: request.headers.get('x-razorpay-signature') ?? '',
          eventId: request.headers.get('x-razorpay-event-id'),
        })
        return new Response()
      },
    })
  }

  const reach: typeof fetch = async (input, init) => {
    if (!provider.isReached()) throw new TypeError('the program has ended')
    const request = new Request(input, init)
    const { method, url } = request
    const answer = await emulator.fetch(request)
    const [, path] = url.split('/v1')
    if (path !== undefined && answer.headers.get('content-type') === 'application/json') {
      const json: unknown = await answer.clone().json()
      documented(() => {
        requireDocumentedAnswer({ method, path, status: answer.status }, json)
      })
    }
    return answer
  }
  async function call(path: string, body?: unknown): Promise<Response> {
    return emulator.fetch(
      new Request(`${ADDRESS}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { 'x-emu-control': 'local', 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    )
  }

  const provider: Provider = {
    address: ADDRESS,
    fetch: reach,
    isReached: () => true,
    // Without a socket between them, which would take most of the time.
    gateway: gatewayToEmulator(ADDRESS, testSecrets, { now: () => START_MS, fetch: reach }),
    reset: (seed) => {
      emulator.close()
      sent.length = 0
      emulator = open(seed)
    },
    state: () => emulator.state(),
    advance: (seconds) => emulator.advance(seconds),
    control: async (path, body = {}) => {
      const answer = await call(`/__emu${path}`, body)
      return answer.ok ? answer.json() : null
    },
    openLink: async (code) => {
      await call(`/l/${code}`)
    },
    sent,
  }
  return provider
}
