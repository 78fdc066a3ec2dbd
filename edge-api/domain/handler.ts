import type { z } from '../../src/contract/zod.ts'
import type { CallSuccess, Endpoint } from '../../src/contract/endpoint.ts'
import type { Context, Claims } from './context.ts'

/** The validated input of a call. */
export interface Call<E extends Endpoint> {
  params: z.output<E['params']>
  query: z.output<E['query']>
  body: z.output<E['body']>
  idempotencyKey: string | null
}

/** Handles a public call. `claims` are those of a genuine bearer token; a handler that uses them checks their session. */
export type PublicHandler<E extends Endpoint> = (
  ctx: Context,
  call: Call<E> & { claims?: Claims | null },
) => Promise<CallSuccess<E>>

/**
 * Handles a signed-in user's call. `claims` are verified; the handler checks the session: its first batch starts with
 * `accountQuery`, or with what of it the call needs.
 */
export type SessionHandler<E extends Endpoint> = (
  ctx: Context,
  call: Call<E> & { claims: Claims },
) => Promise<CallSuccess<E>>

/** As `SessionHandler`, for an answer that is streamed: the bytes of one JSON document. */
export type StreamHandler<E extends Endpoint> = (
  ctx: Context,
  call: Call<E> & { claims: Claims },
) => Promise<ReadableStream<Uint8Array>>
