import type { Delivery } from '../core/state.ts'
import type { World } from '../core/world.ts'
import { scheduleAt } from '../core/world.ts'

/** Seconds after the first attempt at which Razorpay retries a failed delivery, as observed. */
export const retryLadderSeconds = [
  0.23, 6, 19, 40, 82, 164, 326, 650, 1293, 2577, 5140, 10_267, 20_508, 40_989, 81_953,
]

const webhookTimeoutMs = 5000
const disableAfterMs = 24 * 3600 * 1000
const quicklyRetried = new Set(['payment.authorized', 'payment.captured', 'order.paid'])

/** Razorpay disables an endpoint that has failed for 24 hours. It stays disabled until somebody enables it. */
export function isEndpointDisabled({ state, clock }: World): boolean {
  return state.failingSince !== null && clock.now() - state.failingSince >= disableAfterMs
}

async function post({ config }: World, delivery: Delivery) {
  const headers = new Headers({
    'content-type': 'application/json',
    'user-agent': 'Razorpay-Webhook/v1',
    'x-razorpay-signature': delivery.signature,
    'accept-encoding': 'gzip',
  })
  headers.set('x-razorpay-event-id', delivery.eventId)
  headers.set('request-id', delivery.eventId)
  try {
    const response = await config.fetch(config.webhookUrl, {
      method: 'POST',
      headers,
      body: new TextEncoder().encode(delivery.body),
      redirect: 'manual',
      signal: AbortSignal.timeout(webhookTimeoutMs),
    })
    await response.body?.cancel()
    return { status: response.status, error: null }
  } catch (cause) {
    return { status: null, error: cause instanceof Error ? cause.message : String(cause) }
  }
}

function scheduleRetry(world: World, delivery: Delivery, status: number | null): void {
  const first = delivery.firstAttemptAt ?? world.clock.now()
  const isQuick = quicklyRetried.has(delivery.event) && status !== null && status >= 500
  const dueAt = retryLadderSeconds
    .slice(isQuick ? 0 : 1)
    .map((seconds) => first + seconds * 1000)
    .find((at) => at > world.clock.now())
  if (dueAt === undefined) delivery.state = 'gave_up'
  else scheduleAt(world, dueAt, { kind: 'deliver', deliveryId: delivery.id })
}

/** Attempts a delivery once. Any answer other than a 2xx within five seconds leads to a retry. */
export async function deliver(world: World, deliveryId: number): Promise<void> {
  const delivery = world.state.deliveries.find((one) => one.id === deliveryId)
  if (delivery?.state !== 'pending') return
  if (isEndpointDisabled(world)) {
    delivery.state = 'lost'
    return
  }
  const at = world.clock.now()
  delivery.firstAttemptAt ??= at
  const answer = await post(world, delivery)
  delivery.attempts.push({ at, ...answer })
  if (answer.status !== null && answer.status >= 200 && answer.status < 300) {
    delivery.state = 'delivered'
    world.state.failingSince = null
    return
  }
  world.state.failingSince ??= world.clock.now()
  scheduleRetry(world, delivery, answer.status)
}
