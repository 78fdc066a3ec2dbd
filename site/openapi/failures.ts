import { OAuthError } from '../../src/contract/device.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { COMMON_ERRORS, ERROR_STATUS, type ErrorCode } from '../../src/contract/errors.ts'
import { FACTOR } from '../../src/contract/factor.ts'
import { FIELD } from '../../src/contract/field-messages.ts'
import { AUTH, PURCHASE, SERVER, PURCHASE_REFUSED } from '../../src/contract/messages.ts'
import type { Content, ResponseObject } from './document-shape.ts'
import { outputSchema } from './json-schema.ts'

/** A sentence that each code comes with. */
const FAILURE_SENTENCES: Record<ErrorCode, string> = {
  VALIDATION_FAILED: SERVER.validation,
  MALFORMED_JSON: SERVER.malformedJson,
  INVALID_PLAN_TYPE: PURCHASE.invalidPlanType('platinum'),
  AMOUNT_MISMATCH: PURCHASE.amountDiffers,
  LINK_INVALID: AUTH.linkInvalid,
  WRONG_PASSWORD: AUTH.wrongPassword,
  SIGNATURE_INVALID: SERVER.signature,
  DEVICE_CODE_REFUSED: 'Nobody has confirmed the code yet.',
  FACTOR_REFUSED: FACTOR.wrongCode,
  UNAUTHENTICATED: AUTH.unauthenticated,
  INVALID_CREDENTIALS: AUTH.invalidCredentials,
  FACTOR_REQUIRED: FACTOR.required,
  INSUFFICIENT_TOKENS: SERVER.insufficientTokens,
  PLAN_REQUIRED: PURCHASE.planRequired,
  STEP_UP_REQUIRED: FACTOR.stepUp,
  NOT_FOR_APPS: SERVER.notForApps,
  NOT_FOUND: SERVER.notFound,
  METHOD_NOT_ALLOWED: SERVER.method,
  EMAIL_TAKEN: AUTH.emailTaken,
  USERNAME_TAKEN: AUTH.usernameTaken,
  PLAN_ALREADY_ACTIVE: PURCHASE.planActive,
  NOTHING_TO_CHANGE: PURCHASE.nothingToCancel,
  BILLING_REQUIRED: PURCHASE.billingRequired,
  CURRENCY_REFUSED: PURCHASE_REFUSED.inrOutsideIndia,
  IDEMPOTENCY_KEY_REUSED: SERVER.keyReused,
  BODY_TOO_LARGE: SERVER.tooLarge,
  UNSUPPORTED_MEDIA_TYPE: SERVER.mediaType,
  RATE_LIMITED: SERVER.rateLimited,
  INTERNAL: SERVER.internal,
  DATABASE_UNAVAILABLE: SERVER.database,
  PAYMENT_PROVIDER_UNAVAILABLE: PURCHASE.providerUnavailable,
  NOT_CONFIGURED: SERVER.notConfigured,
  OVERLOADED: SERVER.overloaded,
  NOT_READY: 'Down: database',
  SALES_PAUSED: PURCHASE_REFUSED.salesPaused,
}

const FIELD_ERRORS: Partial<Record<ErrorCode, { path: string; msg: string }[]>> = {
  VALIDATION_FAILED: [{ path: 'email', msg: FIELD.emailRequired }],
  MALFORMED_JSON: [{ path: '', msg: SERVER.malformedJson }],
}

const SECOND_STEP = {
  ticket: 'Zk3p0m8mV2l1Qy7hXo5cT9bR4nW6sJ1aUe0dGiKfLxY',
  methods: ['totp', 'recovery'],
  expiresAt: '2026-11-02T09:35:00.000Z',
}

/** Every code a call can answer with: its own, those of its kind, and those of all calls. */
export function failureCodes(endpoint: Endpoint): ErrorCode[] {
  const codes = new Set<ErrorCode>([...endpoint.errors, ...COMMON_ERRORS])
  if (endpoint.access === 'session') codes.add('UNAUTHENTICATED')
  if (endpoint.access === 'session' && endpoint.forApps !== true) codes.add('NOT_FOR_APPS')
  if (endpoint.access === 'provider') codes.delete('VALIDATION_FAILED')
  if (endpoint.limit === undefined) codes.delete('RATE_LIMITED')
  if (endpoint.path.includes('{')) codes.add('NOT_FOUND')
  if (endpoint.method === 'POST' || endpoint.method === 'PATCH') {
    codes.add('BODY_TOO_LARGE')
    if (endpoint.access !== 'provider') codes.add('MALFORMED_JSON').add('UNSUPPORTED_MEDIA_TYPE')
  }
  return [...codes]
}

/** The failures of a call by status: one envelope, the codes it can contain, one example each. */
export function failureResponses(endpoint: Endpoint): Record<string, ResponseObject> {
  const byStatus = Map.groupBy(failureCodes(endpoint), (code) => ERROR_STATUS[code])
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      failureResponse(status, codes, OAUTH_PATHS.has(endpoint.path)),
    ]),
  )
}

const OAUTH_PATHS = new Set(['/api/device/code', '/api/device/token'])

function failureResponse(status: number, codes: ErrorCode[], isOAuth: boolean): ResponseObject {
  return {
    description: codes.join(', '),
    headers: {
      'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
      ...(status === 429 || status === 503
        ? { 'Retry-After': { $ref: '#/components/headers/Retry-After' } }
        : {}),
    },
    content: failureContent(codes, isOAuth),
  }
}

function failureContent(codes: ErrorCode[], isOAuth: boolean): Content {
  const properties = {
    code: { enum: codes },
    ...(isOAuth ? { error: outputSchema(OAuthError) } : {}),
  }
  const schema = {
    allOf: [{ $ref: '#/components/schemas/Failure' }, { type: 'object' as const, properties }],
  }
  const examples = codes.map((code) => [code, { value: failureExample(code) }] as const)
  return { 'application/json': { schema, examples: Object.fromEntries(examples) } }
}

function failureExample(code: ErrorCode) {
  const errors = FIELD_ERRORS[code]
  return {
    success: false,
    code,
    message: FAILURE_SENTENCES[code],
    ...(errors === undefined ? {} : { errors }),
    requestId: '0b9f6a52-6a5e-4a0e-9a53-2c9f1f0d7c11',
    ...(code === 'FACTOR_REQUIRED' ? { secondStep: SECOND_STEP } : {}),
    ...(code === 'DEVICE_CODE_REFUSED' ? { error: OAuthError.enum.authorization_pending } : {}),
  }
}
