import type { CallInput, Endpoint, FieldError, SecondStep } from '../contract/endpoint.ts'
import { FAILURE } from '../contract/endpoint.ts'
import type { z } from '../contract/zod.ts'
import { readAnswer } from './read-answer.ts'

/**
 * Why a call failed. `refused`: the server rejected the call. `unauthenticated`: the session has ended.
 * `network`: the server did not answer. `unavailable`: the server failed, or its answer does not match the contract.
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
}

export type Call<E extends Endpoint> = Part<'params', CallInput<E>['params']> &
  Part<'query', CallInput<E>['query']> &
  Part<'body', CallInput<E>['body']> &
  CallOptions

export type CallEndpoint = <
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  S extends z.ZodType,
>(
  endpoint: Endpoint<P, Q, B, S>,
  call: Call<Endpoint<P, Q, B, S>>,
) => Promise<CallResult<z.output<S>>>

interface CallerDeps {
  fetch: (path: string, init: RequestInit) => Promise<Response>
  timeoutMs: number
  wait: (ms: number) => Promise<void>
}

/** When a busy server asks for a longer wait than this, the user sees a failure. */
const LONGEST_WAIT_MS = 6_000

/**
 * Creates the function through which the browser calls the API. It returns expected failures instead of throwing them: no
 * network, a slow server, a refusal, an answer that does not match the contract. A call that a busy server refused is made
 * once more after the seconds that the server asked for.
 */
export function createCaller({ fetch, timeoutMs, wait }: CallerDeps): CallEndpoint {
  return async (endpoint, call) => {
    const { path, init } = buildRequest(endpoint, call)
    const once = () => send(() => fetch(path, { ...init, signal: AbortSignal.timeout(timeoutMs) }))
    const first = await once()
    const waitMs = first?.retryAfterMs ?? 0
    const isSoon = first?.status === 503 && waitMs > 0 && waitMs <= LONGEST_WAIT_MS
    const answer = isSoon ? await wait(waitMs).then(once) : first
    if (answer === null) return silentFailure('network', 0)
    if (!answer.isOk) return toFailure(answer.status, answer.body)
    const data = readAnswer(endpoint.answer, answer.body)
    return data === null ? silentFailure('unavailable', answer.status) : { ok: true, data }
  }
}

interface Answer {
  isOk: boolean
  status: number
  retryAfterMs: number
  body: unknown
}

/** Null when the connection fails before the whole answer has arrived; `body` is undefined when it is not JSON. */
async function send(request: () => Promise<Response>): Promise<Answer | null> {
  try {
    const response = await request()
    const text = await response.text()
    const retryAfterMs = Number(response.headers.get('retry-after')) * 1_000
    return { isOk: response.ok, status: response.status, retryAfterMs, body: parseJson(text) }
  } catch {
    return null
  }
}

/** The value of a JSON text; undefined when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function toFailure(status: number, body: unknown): CallFailure {
  const failure = readAnswer(FAILURE, body)
  if (failure === null) return silentFailure('unavailable', status)
  const { code, message, errors = [], secondStep, place } = failure
  const kind = kindOf(status, code)
  return { ok: false, kind, code, message, errors, status, secondStep, place }
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
export function buildRequest(endpoint: Endpoint, input: RequestInput) {
  return {
    path: fillPath(endpoint.path, entriesOf(input.params)) + toQuery(entriesOf(input.query)),
    init: {
      method: endpoint.method,
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
