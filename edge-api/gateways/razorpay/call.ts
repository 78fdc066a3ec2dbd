import type Razorpay from 'razorpay'
import { z } from '../../../src/contract/zod.ts'
import type { Log } from '../../domain/ports/log.ts'
import {
  GatewayRejected,
  GatewayUnauthorized,
  GatewayUnavailable,
  type Listed,
  type PaymentMode,
  type ProviderAnswer,
} from '../../domain/ports/payments.ts'
import type { RazorpaySettings } from './resolve-razorpay.ts'

/** The pause before the second try; each later pause is four times the last. */
const PAUSE_MS = 200
/** When Razorpay asks for a longer pause, the call fails as unavailable instead of waiting. */
const RETRY_AFTER_MAX_MS = 5_000

/** Time, randomness and the network, injected so that tests do not wait. */
export interface Pacing {
  /** Milliseconds UTC. */
  now: () => number
  sleep: (ms: number) => Promise<void>
  /** From 0 up to 1. */
  jitter: () => number
  /** Milliseconds after which a request without an answer fails. */
  timeoutMs: number
  /** Instead of the platform's `fetch`. */
  fetch?: typeof fetch
}

/** What every call to Razorpay needs. */
export interface Client {
  sdk: Razorpay
  /** An SDK whose refund is made once, however often it is sent with this key. */
  keyed: (key: string) => Razorpay
  mode: PaymentMode
  pacing: Pacing
  log: Pick<Log, 'alert'>
}

/** The client that every call of an isolate uses. The SDK (40 KB compressed) is loaded here, because most isolates call nobody. */
export async function openClient(
  settings: RazorpaySettings,
  pacing: Pacing,
  log: Pick<Log, 'alert'>,
): Promise<Client> {
  const { default: Sdk } = await import('razorpay')
  const { mode, keyId, keySecret, baseUrl } = settings
  const { timeoutMs, fetch } = pacing
  /** The SDK with its defects worked around: a timeout, no redirects, and one shape for every failure. */
  const newSdk = (headers: Readonly<Record<string, string>> = {}) => {
    const sdk = new Sdk({ key_id: keyId, key_secret: keySecret })
    const transport = Transport.parse('rq' in sdk.api ? sdk.api.rq : undefined)
    Object.assign(transport.defaults, {
      adapter: 'fetch',
      baseURL: baseUrl,
      timeout: timeoutMs,
      fetchOptions: { redirect: 'manual' },
      env: { fetch },
    })
    Object.assign(transport.defaults.headers, headers)
    transport.interceptors.response.use(undefined, guardFailure)
    return sdk
  }
  // The SDK cannot send a header with a single call, so each key gets an SDK.
  const keyed = (key: string) => newSdk({ 'X-Refund-Idempotency': key })
  return { sdk: newSdk(), keyed, mode, pacing, log }
}

/**
 * Sends up to `tries` times while Razorpay is unavailable or busy: more than once only what is safe to repeat. Throws
 * RazorpayFault, also when the answer does not fit the schema.
 */
export async function send<Schema extends z.ZodType>(
  { pacing }: Client,
  request: () => Promise<unknown>,
  schema: Schema,
  tries = 1,
): Promise<z.output<Schema>> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return schema.parse(await request())
    } catch (error) {
      const fault = toFault(error)
      const pause = pauseBefore(attempt, fault, pacing)
      if (attempt + 1 >= tries || pause === null) throw fault
      await pacing.sleep(pause)
    }
  }
}

/** Sends a request that changes nothing, up to three times. */
export function read<Schema extends z.ZodType>(
  client: Client,
  request: () => Promise<unknown>,
  schema: Schema,
): Promise<z.output<Schema>> {
  return send(client, request, schema, 3)
}

/** Milliseconds to wait before the next try; null when trying again is pointless. */
function pauseBefore(attempt: number, fault: RazorpayFault, { jitter }: Pacing): number | null {
  if (!fault.isRetryable) return null
  const usual = PAUSE_MS * 4 ** attempt * (1 + jitter() / 4)
  if (fault.retryAfterMs === null) return usual
  return fault.retryAfterMs > RETRY_AFTER_MAX_MS ? null : Math.max(usual, fault.retryAfterMs)
}

const PAGE = 100
const PAGES_MAX = 10

const List = z.object({ items: z.array(z.unknown()).max(PAGE) })

/** The fields by which an alert names an entity of unknown shape. */
const Named = z.object({
  entity: z.string().max(40).catch('unknown'),
  id: z.string().max(40).catch('unknown'),
  status: z.string().max(40).catch('unknown'),
})

/** An item of unknown shape, as a new status makes one, raises an alert and is left out: it does not hide the others. */
export async function readList<Schema extends z.ZodType>(
  client: Client,
  request: () => Promise<unknown>,
  schema: Schema,
): Promise<{ items: z.output<Schema>[]; count: number }> {
  const list = await read(client, request, List)
  const items = list.items.flatMap((item) => {
    const parsed = schema.safeParse(item)
    if (parsed.success) return [parsed.data]
    const named = Named.parse({ ...Object(item) })
    client.log.alert('the payment provider listed something unknown', named)
    return []
  })
  return { items, count: list.items.length }
}

export interface Page {
  count: number
  skip: number
}

/** Up to ten pages, the newest first, until `isEnough` says that the last page holds all that is wanted. */
export async function readPages<Schema extends z.ZodType>(
  client: Client,
  request: (page: Page) => Promise<unknown>,
  schema: Schema,
  isEnough: (items: z.output<Schema>[]) => boolean = () => false,
): Promise<Listed<z.output<Schema>>> {
  const items: z.output<Schema>[] = []
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const get = () => request({ count: PAGE, skip: page * PAGE })
    const list = await readList(client, get, schema)
    items.push(...list.items)
    if (list.count < PAGE || isEnough(list.items)) return { items, isWhole: true }
  }
  return { items, isWhole: false }
}

/**
 * Makes the function that runs each method of the gateway: it turns RazorpayFault into the errors of the port, remembers
 * how Razorpay answered, and alerts when Razorpay begins to reject our keys.
 */
export function portTo({ mode, pacing, log }: Omit<Client, 'sdk' | 'keyed'>) {
  let last: ProviderAnswer | null = null
  const note = (outcome: ProviderAnswer['outcome']) => {
    if (outcome === 'unauthorized' && last?.outcome !== 'unauthorized') {
      log.alert('the payment provider does not accept our keys', { mode })
    }
    last = { outcome, at: pacing.now() }
  }
  async function asPort<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      const result = await work()
      note('answered')
      return result
    } catch (error) {
      if (!(error instanceof RazorpayFault)) throw error
      note(error.outcome)
      throw error.toPortError()
    }
  }
  return { asPort, lastAnswer: () => last }
}

/** What an answer says of a failure. */
export const Failure = z.object({
  code: z.string().catch(''),
  description: z.string().catch(''),
  reason: z.string().nullish().catch(null),
  metadata: z.object({ order_id: z.string().optional() }).optional().catch(undefined),
})

/** A failed call to Razorpay, with everything that decides what to do next. */
export class RazorpayFault extends Error {
  override readonly name = 'RazorpayFault'
  readonly isRetryable: boolean
  /** True when Razorpay understood the request and rejected it; false when the outcome is unknown. */
  readonly isRejection: boolean
  readonly outcome: ProviderAnswer['outcome']
  readonly reason: string
  readonly retryAfterMs: number | null
  readonly orderId: string | null

  /** @param status of the answer, 0 without one */
  constructor(status: number, failure: z.output<typeof Failure>, retryAfterSeconds?: number) {
    super(`${status} ${failure.code} ${failure.description}`.trim().slice(0, 300))
    const isAuthentication = status === 401 || failure.description === 'Authentication failed'
    // 409: Razorpay is still working on a request with the same idempotency key.
    this.isRetryable = status === 0 || status === 409 || status === 429 || status >= 500
    this.isRejection = status >= 400 && !this.isRetryable && !isAuthentication && status !== 408
    this.outcome = isAuthentication ? 'unauthorized' : this.isRejection ? 'answered' : 'unavailable'
    this.reason = failure.reason ?? failure.code
    this.retryAfterMs = retryAfterSeconds === undefined ? null : retryAfterSeconds * 1_000
    this.orderId = failure.metadata?.order_id ?? null
  }

  /** The error of the port that the domain handles. */
  toPortError(): Error {
    if (this.isRejection) return new GatewayRejected(this.reason, this.message)
    const Unavailable = this.outcome === 'unauthorized' ? GatewayUnauthorized : GatewayUnavailable
    return new Unavailable(this.message, { cause: this })
  }
}

/** The part of the SDK's transport that we set: an axios instance that its types leave out. */
interface Transport {
  defaults: { headers: Record<string, unknown> }
  interceptors: {
    response: { use: (accept: undefined, reject: (error: unknown) => unknown) => void }
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

/** The SDK's rejections: `guardFailure` puts the fault where the SDK looks for the body's `error`. */
const Rejection = z.object({ error: z.instanceof(RazorpayFault) })

/** Turns whatever a call was rejected with into a RazorpayFault. */
export function toFault(error: unknown): RazorpayFault {
  if (error instanceof RazorpayFault) return error
  const { data } = Rejection.safeParse(error)
  return data?.error ?? new RazorpayFault(0, { code: 'UNREADABLE', description: String(error) })
}
