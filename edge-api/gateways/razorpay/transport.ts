import Razorpay from 'razorpay'
import { z } from '../../../src/contract/zod.ts'
import type { Log } from '../../domain/ports/log.ts'
import { Failure, type Pacing, RazorpayFault, type Wire } from './call.ts'
import type { RazorpaySettings } from './resolve-razorpay.ts'

/** The part of the SDK's transport that we set: an axios instance that its types leave out. */
interface Transport {
  defaults: { headers: Record<string, unknown> }
  interceptors: {
    response: { use: (accept: undefined, refuse: (error: unknown) => unknown) => void }
  }
}

const Transport = z.custom<Transport>((value) => typeof value === 'function')

const Rejected = z.object({
  code: z.string().catch('UNKNOWN'),
  message: z.string().catch(''),
  response: z
    .object({
      status: z.number(),
      data: z.object({ error: Failure }).nullable().catch(null),
      /** In whole seconds; a date or anything else counts as none. */
      headers: z
        .object({ 'retry-after': z.coerce.number().int().min(0) })
        .nullable()
        .catch(null),
    })
    .optional(),
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
  Object.assign(transport.defaults.headers, headers)
  transport.interceptors.response.use(undefined, guardFailure)
  return razorpay
}

/** The SDK rejects with `error.response.data.error`, and loses the cause of a failure without a response. So the fault is put there. */
function guardFailure(error: unknown): Promise<never> {
  const { code, message, response } = Rejected.parse(error)
  const fault = new RazorpayFault(
    response?.status ?? 0,
    response?.data?.error ?? { code, description: message },
    response?.headers?.['retry-after'],
  )
  return Promise.reject(Object.assign(new Error(message), { response: { data: { error: fault } } }))
}
