import type { Endpoint } from '../../src/contract/endpoint.ts'
import { RATE_LIMITS } from '../../src/contract/limits.ts'
import { IdempotencyKey } from '../../src/contract/purchase.ts'
import type { z } from '../../src/contract/zod.ts'
import type { Content, Example, Parameter, ResponseObject } from './document-shape.ts'
import { exampleOf } from './examples.ts'
import { failureResponses } from './failures.ts'
import { inputSchema, outputSchema } from './json-schema.ts'

const SECURITY: Record<Endpoint['access'], Record<string, string[]>[]> = {
  public: [],
  session: [{ bearer: [] }],
  provider: [{ razorpaySignature: [] }],
}

/** One call of the contract as an OpenAPI operation. */
export function operationOf(endpoint: Endpoint) {
  const example = exampleOf(endpoint)
  return {
    operationId: endpoint.id,
    summary: example.summary,
    tags: [tagOf(endpoint)],
    security: SECURITY[endpoint.access],
    parameters: parametersOf(endpoint, example),
    ...requestBodyOf(endpoint, example),
    responses: {
      ...successResponse(endpoint, example),
      ...(redirectOf(endpoint) === null ? failureResponses(endpoint) : {}),
    },
    // Calls a minute for each caller (`limitBy` of an endpoint).
    ...(endpoint.limit === undefined ? {} : { 'x-rate-limit': rateLimit(endpoint.limit) }),
  }
}

function rateLimit(name: keyof typeof RATE_LIMITS) {
  return { name, calls: RATE_LIMITS[name], seconds: 60 }
}

function parametersOf(endpoint: Endpoint, example: Example): Parameter[] {
  return [
    ...fieldsAs('path', endpoint.params, example.params),
    ...fieldsAs('query', endpoint.query, example.query),
    ...(endpoint.idempotent === true ? [IDEMPOTENCY_KEY] : []),
  ]
}

const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Chosen by the caller. Sending the same request again with the same key has no second effect.',
  schema: inputSchema(IdempotencyKey),
  example: '0192f1c0-3d52-7f5e-8d2b-6f1f1c2b7a10',
}

function fieldsAs(place: 'path' | 'query', schema: z.ZodType, example: unknown): Parameter[] {
  const { properties = {}, required = [] } = inputSchema(schema)
  const examples = new Map(Object.entries(example ?? {}))
  return Object.entries(properties).flatMap(([name, field]) => {
    if (typeof field === 'boolean') return []
    const parameter: Parameter = {
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      schema: field,
    }
    return [examples.has(name) ? { ...parameter, example: examples.get(name) } : parameter]
  })
}

interface WithBody {
  requestBody?: { required: boolean; content: Content }
}

function requestBodyOf(endpoint: Endpoint, { body }: Example): WithBody {
  const schema = inputSchema(endpoint.body)
  const isEmpty = Object.keys(schema.properties ?? {}).length === 0 && schema.type === 'object'
  if (endpoint.method === 'GET' || endpoint.method === 'DELETE' || isEmpty) return {}
  const isRequired = endpoint.access === 'provider' || !endpoint.body.safeParse({}).success
  const media = { schema, ...(body === undefined ? {} : { example: body }) }
  const content = {
    'application/json': media,
    ...(endpoint.takesForm === true ? { 'application/x-www-form-urlencoded': media } : {}),
  }
  return { requestBody: { required: isRequired, content } }
}

function successResponse(endpoint: Endpoint, { success }: Example): Record<string, ResponseObject> {
  const redirect = redirectOf(endpoint)
  if (redirect !== null) {
    const location = { description: 'The next page', schema: { type: 'string' as const } }
    const headers = { Location: location }
    return { [String(redirect.status)]: { description: redirect.leads, headers } }
  }
  const schema = outputSchema(endpoint.success)
  const headers = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } }
  const content = { 'application/json': { schema, example: success } }
  return { '200': { description: 'Done', headers, content } }
}

interface Redirect {
  status: 302 | 303
  /** The destination, for the description. */
  leads: string
}

/** Endpoints that a browser navigates to: they always answer with a redirect. */
const REDIRECTS: Readonly<Record<string, Redirect>> = {
  paymentLinkCallback: { status: 303, leads: 'To the success or cancel page' },
  checkoutCallback: { status: 303, leads: 'To the success or cancel page' },
  googleStart: { status: 302, leads: 'To Google, or back to the sign-in page with a problem' },
  googleCallback: { status: 302, leads: 'To the sign-in page, which finishes' },
}

/** How this endpoint redirects; null when it answers with JSON. */
export function redirectOf({ id }: Pick<Endpoint, 'id'>): Redirect | null {
  return REDIRECTS[id] ?? null
}

/** Chapters of the description, by the first part of the path. */
const CHAPTERS = [
  ['/api/auth', 'Account', 'Creating an account, verifying its address, changing it, leaving.'],
  ['/api/auth/sessions', 'Sessions', 'Where the account is signed in.'],
  ['/api/device', 'Desktop sign-in', 'A desktop app signs in with a code (RFC 8628).'],
  ['/api/app', 'Desktop app', 'Which versions may be used, and where to get them.'],
  ['/api/subscription', 'Plan and tokens', 'What is sold, the caller’s plan, its tokens.'],
  ['/api/usage', 'Usage', 'What the tokens were used for.'],
  ['/api/payment', 'Payments', 'Ordering, paying, receipts. Prices come only from the catalogue.'],
  ['/api/webhooks', 'Webhooks', 'What the payment provider tells us.'],
  ['/api/announcement', 'Announcement', 'What the site tells everyone for a while.'],
  ['/api/support', 'Support', 'Writing to us.'],
  ['/api/careers', 'Careers', 'Applying for a job.'],
  ['/api/health', 'Health', 'For monitors.'],
] as const

export const TAGS = CHAPTERS.map(([, name, description]) => ({ name, description }))

/** The chapter a call belongs to. */
function tagOf({ path }: Pick<Endpoint, 'path'>): string {
  const fitting = CHAPTERS.filter(([start]) => path.startsWith(start))
  const [closest] = fitting.toSorted(([one], [other]) => other.length - one.length)
  return closest?.[1] ?? 'Other'
}
