import { defineEndpoint, success } from './endpoint.ts'
import { LONG_TEXT_MAX, SHORT_TEXT_MAX } from './limits.ts'
import { VALUE } from './field-messages.ts'
import { inAscii, Instant, isVisible, nameWithoutInvisible, text } from './text.ts'
import { z } from './zod.ts'

/** The code that the desktop app shows and the user types: eight consonants, in any case and spacing. */
export const UserCode = z
  .string(VALUE.userCode)
  .trim()
  .max(20)
  .transform((code) =>
    inAscii(code)
      .toUpperCase()
      .replaceAll(/[^A-Z]/g, ''),
  )
  .pipe(
    z
      .string()
      .regex(/^[BCDFGHJKLMNPQRSTVWXZ]{8}$/, VALUE.userCode)
      .max(8),
  )

/** The name of an app that gives none, or none that can be seen. */
const NAMELESS = 'Desktop app'

/** The name of the app's machine. A longer one is cut, because its user cannot change it in order to sign in. */
const ClientName = z
  .string()
  .trim()
  .max(LONG_TEXT_MAX)
  .overwrite(nameWithoutInvisible)
  // Without half a character at the cut.
  .transform((name) => name.slice(0, SHORT_TEXT_MAX).replace(/[\ud800-\udbff]$/, ''))
  .transform((name) => (name !== '' && isVisible(name) ? name : NAMELESS))
  .pipe(text({ max: SHORT_TEXT_MAX }))

/** Field names follow RFC 8628, so that OAuth clients understand them. */
export const authorizeDeviceEndpoint = defineEndpoint({
  id: 'authorizeDevice',
  method: 'POST',
  path: '/api/device/code',
  access: 'public',
  body: z.object({ client_name: ClientName.default(NAMELESS) }),
  success: success({
    device_code: z.string().max(100),
    user_code: z.string().max(20),
    verification_uri: z.string().max(300),
    verification_uri_complete: z.string().max(300),
    expires_in: z.int(),
    interval: z.int(),
  }),
  limit: 'device',
  takesForm: true,
})

export const DeviceError = z.enum([
  'authorization_pending',
  'slow_down',
  'access_denied',
  'expired_token',
  'invalid_grant',
  'unsupported_grant_type',
])

/** What each failure of the calls of RFC 8628 names beside our code (there §3.5, and RFC 6749 §5.2). */
export const OAuthError = z.enum([
  ...DeviceError.options,
  'invalid_request',
  'server_error',
  'temporarily_unavailable',
])

export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

export const deviceTokenEndpoint = defineEndpoint({
  id: 'deviceToken',
  method: 'POST',
  path: '/api/device/token',
  access: 'public',
  body: z.object({
    /** `DEVICE_GRANT`; RFC 6749 has an error of its own for any other. */
    grant_type: z.string().min(1).max(200),
    device_code: z.string().min(1).max(100),
  }),
  success: success({
    access_token: z.string().max(4_000),
    token_type: z.literal('Bearer'),
    expires_in: z.int(),
  }),
  errors: ['DEVICE_CODE_REFUSED'],
  limit: 'devicePoll',
  takesForm: true,
})

export const deviceRequestEndpoint = defineEndpoint({
  id: 'deviceRequest',
  method: 'GET',
  path: '/api/device/requests/{userCode}',
  access: 'session',
  params: z.object({ userCode: UserCode }),
  success: success({
    request: z.object({
      clientName: z.string().max(SHORT_TEXT_MAX),
      expiresAt: Instant,
      /** True once this account has approved the app. */
      isConnected: z.boolean(),
    }),
  }),
  errors: ['NOT_FOUND'],
  limit: 'device',
})

export const confirmDeviceEndpoint = defineEndpoint({
  id: 'confirmDevice',
  method: 'POST',
  path: '/api/device/confirm',
  access: 'session',
  body: z.object({ userCode: UserCode, approve: z.boolean() }),
  success: success({}),
  errors: ['NOT_FOUND'],
  limit: 'device',
})
