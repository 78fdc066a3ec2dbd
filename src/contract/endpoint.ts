import type { ErrorCode } from './errors.ts'
import type { RateLimitName } from './limits.ts'
import { z } from './zod.ts'

/** The schema of the params, query or body of an endpoint that has none. */
export const Nothing = z.object({})
export type Nothing = typeof Nothing

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** Who may call: everyone, a signed-in user (bearer token), or the payment provider (signed body). */
export type Access = 'public' | 'session' | 'provider'

/** One call of the API, as browser and Worker see it. Path parameters are written `{name}`. */
export interface Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Success extends z.ZodType = z.ZodType,
  Verb extends Method = Method,
  Path extends string = `/api/${string}`,
> {
  readonly id: string
  readonly method: Verb
  readonly path: Path
  readonly access: Access
  readonly params: Params
  readonly query: Query
  readonly body: Body
  readonly success: Success
  /** Error codes besides COMMON_ERRORS and, with access 'session', UNAUTHENTICATED: for /api/openapi.json. */
  readonly errors: readonly ErrorCode[]
  /** Counts signed-in calls by their session and others by the IP address, sign-ins also by the email address in the body. */
  readonly limit?: RateLimitName
  /** 'order' also counts calls by order. 'session' counts by nothing else, also not by `network`: many colleagues may share an address. */
  readonly limitBy?: 'order' | 'session'
  /** True when the session of a desktop app may call it; others answer an app NOT_FOR_APPS. */
  readonly forApps?: boolean
  /** True when the call accepts an `Idempotency-Key` header. */
  readonly idempotent?: boolean
  /** The largest body in bytes; 64 KiB when left out. */
  readonly maxBytes?: number
  /** True when the answer is streamed: it may take minutes, and is whole only if its JSON is. */
  readonly isStreamed?: boolean
  /** True when the body may also be sent as `application/x-www-form-urlencoded`. */
  readonly takesForm?: boolean
}

interface Defaults<Params, Query, Body> {
  params?: Params
  query?: Query
  body?: Body
}

type Definition<
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Success extends z.ZodType,
  Verb extends Method,
  Path extends `/api/${string}`,
> = Omit<
  Endpoint<Params, Query, Body, Success, Verb, Path>,
  'params' | 'query' | 'body' | 'errors'
> &
  Defaults<Params, Query, Body> & { errors?: readonly ErrorCode[] }

/** Defines one endpoint; params, query and body default to empty schemas. */
export function defineEndpoint<
  Success extends z.ZodType,
  Verb extends Method,
  Path extends `/api/${string}`,
  Params extends z.ZodType = Nothing,
  Query extends z.ZodType = Nothing,
  Body extends z.ZodType = Nothing,
>(
  definition: Definition<Params, Query, Body, Success, Verb, Path>,
): Endpoint<Params, Query, Body, Success, Verb, Path>
export function defineEndpoint(
  definition: Definition<z.ZodType, z.ZodType, z.ZodType, z.ZodType, Method, `/api/${string}`>,
): Endpoint {
  return { params: Nothing, query: Nothing, body: Nothing, errors: [], ...definition }
}

/** The input of a call, before the schemas parse it. */
export interface CallInput<E extends Endpoint> {
  params: z.input<E['params']>
  query: z.input<E['query']>
  body: z.input<E['body']>
}

export type CallSuccess<E extends Endpoint> = z.output<E['success']>

/** The schema of a success response; `message` is a sentence for users. */
export function success<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.object({
    success: z.literal(true),
    message: z.string().max(300).optional(),
    ...shape,
  })
}

export const FieldError = z.object({ path: z.string().max(200), msg: z.string().max(500) })
export type FieldError = z.infer<typeof FieldError>

/** Comes with FACTOR_REQUIRED: the first step of a sign-in is done. The ticket works once, with one of the methods. */
export const SecondStep = z.object({
  ticket: z.string().max(100),
  methods: z.array(z.enum(['passkey', 'totp', 'recovery'])).max(3),
  expiresAt: z.iso.datetime(),
})
export type SecondStep = z.infer<typeof SecondStep>

/** The body of every failure response. */
export const Failure = z.object({
  success: z.literal(false),
  code: z.string().max(60),
  message: z.string().max(500),
  errors: z.array(FieldError).max(100).optional(),
  requestId: z.string().max(100),
  secondStep: SecondStep.optional(),
  /** Comes with BILLING_REQUIRED when the connection tells where the buyer probably is: a place of the billing details. */
  place: z.string().max(2).optional(),
})
export type Failure = z.infer<typeof Failure>
