import { buildRequest } from '../../src/api/call-endpoint.ts'
import {
  type CallInput,
  type CallSuccess,
  type Endpoint,
  Failure,
} from '../../src/contract/endpoint.ts'
import type { Answer, CallOptions, Visitor } from './visitor.ts'

type Input<E extends Endpoint> = Partial<CallInput<E>> & {
  idempotencyKey?: string
  headers?: Record<string, string>
}

/** Calls an endpoint of the contract as this visitor and returns the answer as it is. */
export function ask<E extends Endpoint>(
  visitor: Pick<Visitor, 'call'>,
  endpoint: E,
  { params, query, body, idempotencyKey, headers = {} }: Input<E> = {},
): Promise<Answer> {
  const { path } = buildRequest(`${endpoint.method} ${endpoint.path}`, { params, query })
  const options: CallOptions = {
    method: endpoint.method,
    headers: { ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}), ...headers },
    ...(body === undefined ? {} : { json: body }),
  }
  return visitor.call(path, options)
}

/** The body of a successful answer, parsed with the contract. Throws with the answer when the call failed. */
export function good<E extends Endpoint>(endpoint: E, { status, body }: Answer): CallSuccess<E>
export function good(endpoint: Endpoint, { status, body }: Answer): unknown {
  if (status !== 200) throw new Error(`${endpoint.id} answered ${status} ${JSON.stringify(body)}`)
  return endpoint.success.parse(body)
}

/** Calls an endpoint and returns the body of its success. Throws when the call failed. */
export async function askGood<E extends Endpoint>(
  visitor: Pick<Visitor, 'call'>,
  endpoint: E,
  input: Input<E> = {},
): Promise<CallSuccess<E>> {
  return good(endpoint, await ask(visitor, endpoint, input))
}

/** The failure envelope of an answer, with its status. Throws for any other answer. */
export function bad({ status, body }: Answer): Failure & { status: number } {
  return { status, ...Failure.parse(body) }
}
