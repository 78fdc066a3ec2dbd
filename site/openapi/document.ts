import type { Endpoint } from '../../src/contract/endpoint.ts'
import { ENDPOINTS } from '../../src/contract/endpoints.ts'
import { BODY_MAX_BYTES, USE_BATCH_MAX_BYTES } from '../../src/contract/limits.ts'
import { componentSchemas } from './json-schema.ts'
import { operationOf, TAGS } from './operation.ts'

type Brand = Record<'productName' | 'supportEmail', string>

const DESCRIPTION = `JSON over HTTPS. Every answer is an envelope: \`success: true\` with what was asked for, or \`success: false\` with \`code\` (a closed list), \`message\` (a sentence for a person), \`errors\` (field by field, where the input is at fault) and \`requestId\`. Switch on \`code\`, show \`message\`, quote \`requestId\` to support.

Sign in with \`register\` or \`login\`, or as a desktop app with a device code, and send the token as \`Authorization: Bearer …\`. Once a session has ended, the next call is refused.

Bodies are \`application/json\` of at most ${BODY_MAX_BYTES / 1024} KiB (a batch of uses: ${USE_BATCH_MAX_BYTES / 1024} KiB); the calls that name it take \`application/x-www-form-urlencoded\`, too. An empty body is one without fields. Calls that honour \`Idempotency-Key\` can be repeated safely. Rate limits (\`x-rate-limit\`) count signed-in calls for the session with the apps that it approved, and other calls for each IP address, sign-ins for the e-mail address they name, too. Signed-in calls from one address also share a higher limit, but for usage reports and ending sessions. Beyond them 429 with \`Retry-After\`. After 503 wait as long as \`Retry-After\` says.

Instants are ISO 8601 in UTC. Amounts of orders, payments and receipts are in minor units (cents, paise); prices of the catalogue in major units. Fields and values may be added to answers; ignore those you do not know. A body with an unknown field is refused.`

/** The description of the whole API (OpenAPI 3.1), made from the contract and nothing else. */
export function buildDocument(brand: Brand) {
  return {
    openapi: '3.1.1',
    info: {
      title: `${brand.productName} API`,
      version: '1.0.0',
      description: DESCRIPTION,
      contact: { name: brand.productName, email: brand.supportEmail },
    },
    // The origin that serves the description.
    servers: [{ url: '/' }],
    tags: TAGS,
    paths: paths(),
    components: {
      schemas: componentSchemas(),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        razorpaySignature: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Razorpay-Signature',
          description: 'HMAC-SHA256 of the raw body, in hex',
        },
      },
      headers: {
        'X-Request-Id': {
          description: 'Names this request in our log',
          schema: { type: 'string', maxLength: 100 },
        },
        'Retry-After': {
          description: 'Seconds to wait before the next try',
          schema: { type: 'integer', minimum: 1 },
        },
      },
    },
  }
}

function paths() {
  const byPath: Record<string, Record<string, ReturnType<typeof operationOf>>> = {}
  for (const endpoint of ENDPOINTS.toSorted(byAddress)) {
    const method = endpoint.method.toLowerCase()
    byPath[endpoint.path] = { ...byPath[endpoint.path], [method]: operationOf(endpoint) }
  }
  return byPath
}

function byAddress(one: Endpoint, other: Endpoint): number {
  return one.path.localeCompare(other.path)
}
