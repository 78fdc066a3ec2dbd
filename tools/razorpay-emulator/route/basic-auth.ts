import { ApiError } from '../api-error.ts'
import type { World } from '../world.ts'

export interface Credentials {
  keyId: string
  secret: string
}

/** Reads `Basic …`, in exactly this casing as Razorpay wants it. */
export function readBasicAuth(header: string | null | undefined): Credentials | null {
  if (!header?.startsWith('Basic ')) return null
  const text = Buffer.from(header.slice(6), 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 0) return null
  return { keyId: text.slice(0, colon), secret: text.slice(colon + 1) }
}

function refusal(world: World, description = 'Authentication failed'): ApiError {
  return new ApiError(world.state.settings.badKeyStatus, {
    code: 'BAD_REQUEST_ERROR',
    description,
  })
}

/** Throws unless the request carries the emulator's own key; a live key is reported loudly. */
export function requireKey(world: World, header: string | null | undefined): void {
  const credentials = readBasicAuth(header)
  if (!credentials) throw refusal(world, 'Please provide your api key for authentication purposes.')
  if (credentials.keyId.startsWith('rzp_live_')) {
    world.config.log('A LIVE RAZORPAY KEY WAS SENT TO THE EMULATOR. Find out who is configured so.')
  }
  const { keyId, keySecret } = world.config
  if (credentials.keyId !== keyId || credentials.secret !== keySecret) throw refusal(world)
}
