const limit = { limit: () => Promise.resolve({ success: true }) }

/** A complete environment of a production Worker; its `send` and `fetch` do nothing. */
export const WHOLE_ENVIRONMENT = {
  ENVIRONMENT: 'production',
  PUBLIC_ORIGIN: 'https://sotto.example/',
  DATABASE_URL: 'https://db.sotto.example',
  JWT_SECRETS: `k2:${'a'.repeat(32)},k1:${'b'.repeat(32)}`,
  EMAIL: { send: () => Promise.resolve() },
  ASSETS: { fetch: () => Promise.resolve(new Response()) },
  LIMIT_SIGN_IN: limit,
  LIMIT_REGISTER: limit,
  LIMIT_MAIL: limit,
  LIMIT_LINK: limit,
  LIMIT_SUPPORT: limit,
  LIMIT_CAREERS: limit,
  LIMIT_ORDER: limit,
  LIMIT_ACTIVATION: limit,
  LIMIT_DEVICE: limit,
  LIMIT_DEVICE_POLL: limit,
  LIMIT_NETWORK: limit,
  LIMIT_EVERYBODY: limit,
  LIMIT_HEALTH: limit,
  LIMIT_CSP_REPORT: limit,
  LIMIT_CHANGE: limit,
  LIMIT_EXPORT: limit,
  LIMIT_USAGE: limit,
  LIMIT_USAGE_BATCH: limit,
}
