import type { Delivery } from '../state/delivery.ts'
import type { World } from '../world.ts'
import { scheduleAt } from '../world.ts'

/** Seconds after the first attempt at which failed deliveries were seen to be tried again. */
export const retryLadderSeconds = [
  0.23, 6, 19, 40, 82, 164, 326, 650, 1293, 2577, 5140, 10_267, 20_508, 40_989, 81_953,
]

/** An endpoint that has failed for so long is switched off. */
export const disableAfterMs = 24 * 3600 * 1000

const quicklyRetried = new Set(['payment.authorized', 'payment.captured', 'order.paid'])

interface Answer {
  status: number | null
  error: string | null
}

async function post(world: World, delivery: Delivery): Promise<Answer> {
  const headers = new Headers({
    'content-type': 'application/json',
    'user-agent': 'Razorpay-Webhook/v1',
    'x-razorpay-signature': delivery.signature,
    'accept-encoding': 'gzip',
  })
  if (delivery.sendsEventId) {
    headers.set('x-razorpay-event-id', delivery.eventId)
    headers.set('request-id', delivery.eventId)
  }
  try {
    const response = await world.config.fetch(world.config.webhookUrl, {
      method: 'POST',
      headers,
      body: new TextEncoder().encode(delivery.body),
      redirect: 'manual',
      signal: AbortSignal.timeout(world.config.webhookTimeoutMs),
    })
    await response.body?.cancel()
    return { status: response.status, error: null }
  } catch (cause) {
    return { status: null, error: cause instanceof Error ? cause.message : String(cause) }
  }
}

function scheduleRetry(world: World, delivery: Delivery, status: number | null): void {
  const first = delivery.firstAttemptAt ?? world.clock.now()
  const quick = quicklyRetried.has(delivery.event) && status !== null && status >= 500
  const dueAt = retryLadderSeconds
    .slice(quick ? 0 : 1)
    .map((seconds) => first + seconds * 1000)
    .find((at) => at > world.clock.now())
  if (dueAt === undefined) {
    delivery.state = 'gave_up'
    return
  }
  scheduleAt(world, dueAt, { kind: 'deliver', deliveryId: delivery.id })
}

function noteFailure(world: World): void {
  const { endpoint } = world.state
  if (endpoint.failingSince !== null) return
  endpoint.failingSince = world.clock.now()
  scheduleAt(world, endpoint.failingSince + disableAfterMs, { kind: 'disable-endpoint' })
}

/** One attempt at a delivery; anything but a 2xx answer in time is tried again up the ladder. */
export async function deliver(world: World, deliveryId: number): Promise<void> {
  const delivery = world.state.deliveries.find((one) => one.id === deliveryId)
  if (delivery?.state !== 'pending') return
  if (world.state.endpoint.disabled) {
    delivery.state = 'lost'
    return
  }
  const at = world.clock.now()
  delivery.firstAttemptAt ??= at
  const answer = await post(world, delivery)
  delivery.attempts.push({ at, ...answer, latencyMs: Math.max(0, world.clock.now() - at) })
  if (answer.status !== null && answer.status >= 200 && answer.status < 300) {
    delivery.state = 'delivered'
    world.state.endpoint.failingSince = null
    return
  }
  noteFailure(world)
  scheduleRetry(world, delivery, answer.status)
}

/** Switches the endpoint off when nothing has got through for a whole day. */
export function disableFailingEndpoint(world: World): void {
  const { endpoint } = world.state
  if (endpoint.failingSince === null) return
  if (world.clock.now() - endpoint.failingSince < disableAfterMs) return
  endpoint.disabled = true
  world.config.log(
    'Webhooks failed for 24 h: the endpoint is switched off until it is enabled again',
  )
}
