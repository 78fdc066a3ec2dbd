const limit = { limit: () => Promise.resolve({ success: true }) }

/** A complete environment of a production Worker; its `send` and `fetch` do nothing. */
export const WHOLE_ENVIRONMENT = {
  ENVIRONMENT: 'production',
  PUBLIC_ORIGIN: 'https://sotto.example/',
  DATABASE_URL: 'https://db.sotto.example',
  JWT_SECRETS: `k2:${'a'.repeat(32)},k1:${'b'.repeat(32)}`,
  TRIAL_SECRET: 'c'.repeat(32),
  EMAIL: { send: () => Promise.resolve() },
  ASSETS: { fetch: () => Promise.resolve(new Response()) },
  LIMIT_5: limit,
  LIMIT_10: limit,
  LIMIT_20: limit,
  LIMIT_30: limit,
  LIMIT_60: limit,
  LIMIT_100: limit,
  LIMIT_1200: limit,
}

/** The secrets of a deployment, all usable. */
export const SECRETS = {
  DATABASE_URL: 'libsql://db.sotto.example',
  DATABASE_AUTH_TOKEN: 'token-of-the-database',
  JWT_SECRETS: `k1:${'a1'.repeat(24)}`,
  TRIAL_SECRET: 'b2'.repeat(24),
  RAZORPAY_KEY_ID: 'rzp_test_abcdefgh123456',
  RAZORPAY_KEY_SECRET: 'a-key-secret-of-razorpay',
  RAZORPAY_WEBHOOK_SECRETS: 'the-current-webhook-secret',
  ACCESS_TEAM: 'https://team.cloudflareaccess.example',
  ACCESS_AUDIENCE: 'audience-of-the-application',
  ADMIN_HOST: 'admin.sotto.example',
}
