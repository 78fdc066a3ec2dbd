import type { PaymentGateway } from '../../edge-api/domain/ports/payments.ts'
import type { Delivery } from '../../edge-api/domain/purchase/webhooks.ts'
import type { Secrets } from '../launcher/dev-vars.ts'
import { manualClock } from '../razorpay-emulator/core/clock.ts'
import { createEmulator } from '../razorpay-emulator/emulator.ts'
import { gatewayToEmulator } from './gateway-to-emulator.ts'
import { razorpayKeys } from '../services/emulators.ts'
import { controlEmulator } from './local-emulator.ts'

/** Nothing listens here: requests go straight to the emulator in this process. */
const ADDRESS = 'http://127.0.0.1:9'

/** An emulator whose clock is set to the past. */
export interface PastProvider {
  gateway: PaymentGateway
  /** Its current time, milliseconds UTC. */
  now: () => number
  /** Moves its clock ahead, and returns the webhooks that were sent on the way. Milliseconds UTC. */
  moveTo: (at: number) => Promise<Delivery[]>
  /** A call of the control API. Throws a LaunchError when it is refused. */
  control: (path: string, body: unknown) => Promise<unknown>
  /** Opens the page of a payment link, which makes its order. */
  openLink: (url: string) => Promise<void>
  /** Copies all orders and money to the running emulator, so that the site can ask about them. */
  handOver: () => Promise<void>
}

/**
 * Opens the emulator of a past month.
 *
 * @param url of the running emulator
 * @param startsAt milliseconds UTC
 */
export function pastProvider(secrets: Secrets, url: string, startsAt: number): PastProvider {
  const clock = manualClock(startsAt)
  const sent: Delivery[] = []
  const emulator = createEmulator({
    clock,
    seed: crypto.randomUUID(),
    webhookUrl: `${ADDRESS}/none`,
    publicOrigin: ADDRESS,
    ...razorpayKeys(secrets),
    fetch: async (input, init) => {
      const request = new Request(input, init)
      sent.push({
        body: new Uint8Array(await request.arrayBuffer()),
        signature: request.headers.get('x-razorpay-signature') ?? '',
        eventId: request.headers.get('x-razorpay-event-id'),
      })
      return new Response()
    },
  })
  const reach: typeof fetch = (input, init) => emulator.fetch(new Request(input, init))
  return {
    gateway: gatewayToEmulator(ADDRESS, secrets, { now: clock.now, fetch: reach }),
    now: clock.now,
    moveTo: async (at) => {
      await emulator.advance((at - clock.now()) / 1_000)
      return sent.splice(0)
    },
    control: (path, body) => controlEmulator(ADDRESS, path, body, reach),
    openLink: async (link) => {
      await emulator.fetch(new Request(link))
    },
    handOver: async () => {
      const { orders, payments, refunds, links, disputes } = emulator.state()
      await controlEmulator(url, '/import', { orders, payments, refunds, links, disputes })
    },
  }
}
