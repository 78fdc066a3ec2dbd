import Razorpay from 'razorpay'
import { z } from '../../../src/contract/zod.ts'
import type { Log } from '../../domain/ports/log.ts'
import type { Pacing, Wire } from './call.ts'
import type { RazorpaySettings } from './resolve-razorpay.ts'

/** The part of the SDK's transport that we set: an axios instance that its types leave out. */
interface Transport {
  defaults: Record<string, unknown>
  interceptors: {
    request: { use: (fix: (request: OutgoingRequest) => OutgoingRequest) => void }
    response: { use: (accept: undefined, refuse: (error: unknown) => unknown) => void }
  }
}

interface OutgoingRequest {
  headers: { set: (name: string, value: string) => void }
}

const Transport = z.custom<Transport>((value) => typeof value === 'function')

const Failure = z.object({
  code: z.string().optional(),
  message: z.string().optional(),
  response: z.object({ status: z.number(), data: z.unknown(), headers: z.unknown() }).optional(),
})

/** The wire that every call of an isolate uses. */
export function openWire(
  settings: RazorpaySettings,
  pacing: Pacing,
  log: Pick<Log, 'alert'>,
): Wire {
  // The SDK cannot send a header with a single call, so each key gets a client.
  const keyed = (key: string) => openRazorpay(settings, pacing, { 'X-Refund-Idempotency': key })
  return { razorpay: openRazorpay(settings, pacing), keyed, mode: settings.mode, pacing, log }
}

/**
 * The SDK with its defects worked around: a timeout, no redirects, and one shape for every failure. An answer that is not
 * JSON comes back as text, which fits no schema. `headers` are sent with every request of this client.
 */
function openRazorpay(
  { keyId, keySecret, baseUrl }: RazorpaySettings,
  { timeoutMs, fetch }: Pacing,
  headers: Readonly<Record<string, string>> = {},
): Razorpay {
  const razorpay = new Razorpay({ key_id: keyId, key_secret: keySecret })
  const transport = Transport.parse('rq' in razorpay.api ? razorpay.api.rq : undefined)
  Object.assign(transport.defaults, {
    adapter: 'fetch',
    baseURL: baseUrl,
    timeout: timeoutMs,
    fetchOptions: { redirect: 'manual' },
    env: { fetch },
  })
  transport.interceptors.request.use((request) => {
    for (const [name, value] of Object.entries(headers)) request.headers.set(name, value)
    return request
  })
  transport.interceptors.response.use(undefined, guardFailure)
  return razorpay
}

/**
 * The SDK reads `error.response.data.error` of any failure and loses the cause of a failure without a response.
 * Rejects with a response made from the failure.
 */
function guardFailure(error: unknown): Promise<never> {
  const { code = 'UNKNOWN', message = '', response } = Failure.catch({}).parse(error)
  const parsed = ErrorBody.safeParse(response?.data)
  const retryAfterSeconds = retryAfter(response?.headers)
  const body = parsed.success ? parsed.data.error : { code, description: message }
  const guarded = {
    status: response?.status ?? 0,
    data: { error: { ...body, retryAfterSeconds } },
  }
  return Promise.reject(Object.assign(new Error(message), { response: guarded }))
}

const ErrorBody = z.object({ error: z.looseObject({}) })

/** `Retry-After` in whole seconds; null for a date or anything else. */
function retryAfter(headers: unknown): number | null {
  const parsed = z.object({ 'retry-after': z.coerce.number().int().min(0) }).safeParse(headers)
  return parsed.success ? parsed.data['retry-after'] : null
}
