import { expect, test } from 'vitest'
import { type RazorpayEnv, resolveRazorpay } from './resolve-razorpay.ts'

const emulated: RazorpayEnv = {
  ENVIRONMENT: 'local',
  RAZORPAY_KEY_ID: 'rzp_test_EMUkey00000001',
  RAZORPAY_KEY_SECRET: 'emu_key_secret_0001',
  RAZORPAY_WEBHOOK_SECRETS: 'emu_webhook_secret_0001',
  RAZORPAY_BASE_URL: 'http://localhost:8790',
  RAZORPAY_CHECKOUT_URL: 'http://localhost:8790/checkout/v1/checkout.js',
}

const live: RazorpayEnv = {
  ENVIRONMENT: 'production',
  RAZORPAY_KEY_ID: 'rzp_live_abcdefgh123456',
  RAZORPAY_KEY_SECRET: 'a-key-secret-of-razorpay',
  RAZORPAY_WEBHOOK_SECRETS: 'the-current-webhook-secret,the-one-before-it-17',
}

const tried: RazorpayEnv = {
  ...live,
  ENVIRONMENT: 'development',
  RAZORPAY_KEY_ID: 'rzp_test_abcdefgh123456',
}

test('live keys in production use Razorpay only', () => {
  expect(resolveRazorpay(live)).toEqual({
    mode: 'live',
    keyId: 'rzp_live_abcdefgh123456',
    keySecret: 'a-key-secret-of-razorpay',
    webhookSecrets: ['the-current-webhook-secret', 'the-one-before-it-17'],
    baseUrl: 'https://api.razorpay.com',
    checkoutScript: 'https://checkout.razorpay.com/v1/checkout.js',
  })
})

test('an unset environment is production', () => {
  expect(resolveRazorpay({ ...live, ENVIRONMENT: undefined }).mode).toBe('live')
  expect(() => resolveRazorpay({ ...emulated, ENVIRONMENT: undefined })).toThrow('RAZORPAY_KEY_ID')
})

test.each(['development', 'test', 'local'])('the emulator is used in %s', (ENVIRONMENT) => {
  expect(resolveRazorpay({ ...emulated, ENVIRONMENT })).toMatchObject({
    mode: 'emulator',
    baseUrl: 'http://localhost:8790',
  })
})

test.each(['development', 'staging'])('real test keys in %s use Razorpay', (ENVIRONMENT) => {
  expect(resolveRazorpay({ ...tried, ENVIRONMENT })).toMatchObject({
    mode: 'test',
    baseUrl: 'https://api.razorpay.com',
  })
})

test('a secret has at least sixteen characters', () => {
  const RAZORPAY_KEY_SECRET = 'sixteen-letters!'
  expect(() => resolveRazorpay({ ...live, RAZORPAY_KEY_SECRET })).not.toThrow()
})

test("Razorpay's own addresses may be named or left empty", () => {
  const named = {
    RAZORPAY_BASE_URL: 'https://api.razorpay.com',
    RAZORPAY_CHECKOUT_URL: '',
  }
  expect(resolveRazorpay({ ...live, ...named })).toEqual(resolveRazorpay(live))
})

test.each([
  ['the emulator in production', { ...emulated, ENVIRONMENT: 'production' }],
  ['the emulator in staging', { ...emulated, ENVIRONMENT: 'staging' }],
  ['real money in staging', { ...live, ENVIRONMENT: 'staging' }],
  ['test money in production', { ...tried, ENVIRONMENT: 'production' }],
  ['an unknown environment', { ...emulated, ENVIRONMENT: 'moon' }],
  ["a live key on a developer's machine", { ...live, ENVIRONMENT: 'local' }],
  ['no key', { ...live, RAZORPAY_KEY_ID: '' }],
])('the error about %s names the key id', (_case, env) => {
  expectError(env, 'RAZORPAY_KEY_ID')
})

const current = 'the-current-webhook-secret'

test.each<[string, RazorpayEnv, Partial<RazorpayEnv>]>([
  ['no key secret', live, { RAZORPAY_KEY_SECRET: '' }],
  ['a key secret of fifteen characters', live, { RAZORPAY_KEY_SECRET: 'fifteen-letters' }],
  ['the emulator address with a live key', live, { RAZORPAY_BASE_URL: 'http://localhost:8790' }],
  ['another script', live, { RAZORPAY_CHECKOUT_URL: 'https://evil.example/checkout.js' }],
  ['an emulator elsewhere', emulated, { RAZORPAY_BASE_URL: 'http://emulator.example' }],
  ['a disguise', emulated, { RAZORPAY_BASE_URL: 'http://localhost@evil.example' }],
  ['a name in an address', emulated, { RAZORPAY_BASE_URL: 'http://evil.example@localhost:8790' }],
  ['no webhook secret', live, { RAZORPAY_WEBHOOK_SECRETS: '' }],
  ['a short webhook secret', live, { RAZORPAY_WEBHOOK_SECRETS: `${current},short` }],
  ['the key secret', live, { RAZORPAY_WEBHOOK_SECRETS: 'a-key-secret-of-razorpay' }],
  ["the emulator's", live, { RAZORPAY_WEBHOOK_SECRETS: 'emu_webhook_secret_0001' }],
  ["the emulator's", live, { RAZORPAY_WEBHOOK_SECRETS: `${current},emu_webhook_secret_0001` }],
  ["the emulator's", live, { RAZORPAY_KEY_SECRET: 'emu_key_secret_0001' }],
  ["the emulator's with a real test key", tried, { RAZORPAY_KEY_SECRET: 'emu_key_secret_0001' }],
])('the error about a variable with %s names it', (_what, env, change) => {
  expectError({ ...env, ...change }, Object.keys(change).join())
})

/** The error has the name of the variable, and no value. */
function expectError(env: RazorpayEnv, name: string) {
  expect(() => resolveRazorpay(env)).toThrow(name)
  const values = Object.values(env).filter((value) => (value ?? '').length > 12)
  for (const value of values) {
    expect(() => resolveRazorpay(env)).not.toThrow(String(value))
  }
}
