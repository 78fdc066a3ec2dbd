import type { AnswerOf, CallName, Calls } from '../contract/calls.ts'
import type { CallInput, Failure, FieldError, SecondStep } from '../contract/endpoint.ts'
import { parseJson } from '../contract/parse-json.ts'

/**
 * Why a call failed. `refused`: the server rejected the call. `unauthenticated`: the session has ended.
 * `network`: the server did not answer. `unavailable`: the server failed, or something else answered in its place.
 */
type FailureKind = 'refused' | 'unauthenticated' | 'network' | 'unavailable'

export interface CallFailure {
  readonly ok: false
  readonly kind: FailureKind
  /** The server's error code, or '' when it sent none. */
  readonly code: string
  /** The server's message, or '' when it sent none; the caller then shows its fallback. */
  readonly message: string
  readonly errors: readonly FieldError[]
  /** Comes with FACTOR_REQUIRED. */
  readonly secondStep?: SecondStep | undefined
  /** Comes with BILLING_REQUIRED: where the buyer probably is. */
  readonly place?: string | undefined
  /** HTTP status; 0 when the server did not answer. */
  readonly status: number
}

export type CallResult<T> = { readonly ok: true; readonly data: T } | CallFailure

/** A failure for which the server sent no message. */
export function silentFailure(kind: FailureKind, status: number): CallFailure {
  return { ok: false, kind, code: '', message: '', errors: [], status }
}

/** Makes a part of the call optional when the endpoint requires nothing in it. */
type Part<Name extends string, Value> =
  Record<never, never> extends Value ? Partial<Record<Name, Value>> : Record<Name, Value>

interface CallOptions {
  /** The bearer token; left out for calls without a session. */
  token?: string | null | undefined
  idempotencyKey?: string | undefined
  /** True when the call must continue after the user leaves the page. */
  keepalive?: boolean | undefined
  /** True for a call whose answer the contract says is streamed. */
  isStreamed?: boolean | undefined
}

export type Call<Name extends CallName> = Part<'params', CallInput<Calls[Name]>['params']> &
  Part<'query', CallInput<Calls[Name]>['query']> &
  Part<'body', CallInput<Calls[Name]>['body']> &
  CallOptions

/** Calls the server by method and path: `call('GET /api/payment/status/{id}', { params: { id } })`. */
export type CallEndpoint = <Name extends CallName>(
  name: Name,
  call: Call<Name>,
) => Promise<CallResult<AnswerOf<Name>>>

interface CallerDeps {
  fetch: (path: string, init: RequestInit) => Promise<Response>
  timeoutMs: number
  /** `AbortSignal.timeout`, which Safari has since 16. */
  endAfter: (ms: number) => AbortSignal
  wait: (ms: number) => Promise<void>
}

/** How long a streamed answer may take. */
const STREAM_MS = 300_000

/** When a busy server asks for a longer wait than this, the user sees a failure. */
const LONGEST_WAIT_MS = 6_000

/**
 * Creates the function through which the browser calls the API. It returns expected failures instead of throwing them: no
 * network, a slow server, a rejection, the page of a proxy. The server has checked its answer, so the browser trusts it.
 * A call that a busy server rejected is made once more after the seconds that the server asked for.
 */
export function createCaller({ fetch, timeoutMs, endAfter, wait }: CallerDeps): CallEndpoint {
  return async (name, call) => {
    const { path, init } = buildRequest(name, call)
    const mostMs = call.isStreamed === true ? STREAM_MS : timeoutMs
    const once = () => send(() => fetch(path, { ...init, signal: endAfter(mostMs) }))
    const first = await once()
    const waitMs = first?.retryAfterMs ?? 0
    const isSoon = first?.status === 503 && waitMs > 0 && waitMs <= LONGEST_WAIT_MS
    const answer = isSoon ? await wait(waitMs).then(once) : first
    return answer === null ? silentFailure('network', 0) : resultOf(answer)
  }
}

interface Answer {
  status: number
  retryAfterMs: number
  text: string
}

/** Null when the connection fails before the whole answer has arrived. */
async function send(request: () => Promise<Response>): Promise<Answer | null> {
  try {
    const response = await request()
    const text = await response.text()
    const retryAfterMs = Number(response.headers.get('retry-after')) * 1_000
    return { status: response.status, retryAfterMs, text }
  } catch {
    return null
  }
}

/** The server has checked its answer by the contract. What has neither of its two forms comes from something else. */
function resultOf<Data>({ status, text }: Answer): CallResult<Data> {
  const body = parseJson(text)
  if (says<Data>(body, true)) return { ok: true, data: body }
  if (!says<Failure>(body, false)) return silentFailure('unavailable', status)
  const { code, message, errors = [], secondStep, place } = body
  return { ok: false, kind: kindOf(status, code), code, message, errors, status, secondStep, place }
}

function says<Body>(body: unknown, success: boolean): body is Body {
  return typeof body === 'object' && body !== null && Reflect.get(body, 'success') === success
}

function kindOf(status: number, code: string) {
  if (code === 'UNAUTHENTICATED') return 'unauthenticated'
  return status >= 500 ? 'unavailable' : 'refused'
}

interface RequestInput extends CallOptions {
  params?: unknown
  query?: unknown
  body?: unknown
}

/** Builds the arguments of `fetch` for one call; `path` starts with a slash and includes the query. */
export function buildRequest(name: string, input: RequestInput) {
  const [method = '', path = ''] = name.split(' ')
  return {
    path: fillPath(path, entriesOf(input.params)) + toQuery(entriesOf(input.query)),
    init: {
      method,
      headers: buildHeaders(input),
      ...(input.keepalive === true ? { keepalive: true } : {}),
      ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
    },
  }
}

function entriesOf(value: unknown): [string, string][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, item]) =>
    item === undefined ? [] : [[name, String(item)]],
  )
}

function fillPath(path: string, params: [string, string][]): string {
  return params.reduce(
    (filled, [name, value]) => filled.replace(`{${name}}`, () => encodeURIComponent(value)),
    path,
  )
}

function toQuery(query: [string, string][]): string {
  const text = new URLSearchParams(query).toString()
  return text === '' ? '' : `?${text}`
}

function buildHeaders({ body, token, idempotencyKey }: RequestInput): Record<string, string> {
  return {
    accept: 'application/json',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(token ? { authorization: `Bearer ${token}` } : {}),
    ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
  }
}
