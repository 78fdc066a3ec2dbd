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
  const of = (RAZORPAY_KEY_SECRET: string) => () =>
    resolveRazorpay({ ...live, RAZORPAY_KEY_SECRET })
  expect(of('sixteen-letters!')).not.toThrow()
  expect(of('fifteen-letters')).toThrow('RAZORPAY_KEY_SECRET')
})

test("Razorpay's own addresses may be named or left empty", () => {
  const named = {
    RAZORPAY_BASE_URL: 'https://api.razorpay.com',
    RAZORPAY_CHECKOUT_URL: '',
  }
  expect(resolveRazorpay({ ...live, ...named })).toEqual(resolveRazorpay(live))
})

const refused: [string, RazorpayEnv, string][] = [
  ['the emulator in production', { ...emulated, ENVIRONMENT: 'production' }, 'RAZORPAY_KEY_ID'],
  ['the emulator in staging', { ...emulated, ENVIRONMENT: 'staging' }, 'RAZORPAY_KEY_ID'],
  ['real money in staging', { ...live, ENVIRONMENT: 'staging' }, 'RAZORPAY_KEY_ID'],
  ['test money in production', { ...tried, ENVIRONMENT: 'production' }, 'RAZORPAY_KEY_ID'],
  ['an unknown environment', { ...emulated, ENVIRONMENT: 'moon' }, 'RAZORPAY_KEY_ID'],
  ["a live key on a developer's machine", { ...live, ENVIRONMENT: 'local' }, 'RAZORPAY_KEY_ID'],
  ['no key', { ...live, RAZORPAY_KEY_ID: '' }, 'RAZORPAY_KEY_ID'],
  ['no key secret', { ...live, RAZORPAY_KEY_SECRET: '' }, 'RAZORPAY_KEY_SECRET'],
  [
    'a live key with the emulator address',
    { ...live, RAZORPAY_BASE_URL: 'http://localhost:8790' },
    'RAZORPAY_BASE_URL',
  ],
  [
    'a live key with another script',
    { ...live, RAZORPAY_CHECKOUT_URL: 'https://evil.example/checkout.js' },
    'RAZORPAY_CHECKOUT_URL',
  ],
  [
    'an emulator elsewhere',
    { ...emulated, RAZORPAY_BASE_URL: 'http://emulator.example' },
    'RAZORPAY_BASE_URL',
  ],
  [
    'an emulator behind a disguise',
    { ...emulated, RAZORPAY_BASE_URL: 'http://localhost@evil.example' },
    'RAZORPAY_BASE_URL',
  ],
  [
    'an emulator with a name in its address',
    { ...emulated, RAZORPAY_BASE_URL: 'http://evil.example@localhost:8790' },
    'RAZORPAY_BASE_URL',
  ],
  ['no webhook secret', { ...live, RAZORPAY_WEBHOOK_SECRETS: '' }, 'RAZORPAY_WEBHOOK_SECRETS'],
  [
    'a short webhook secret',
    { ...live, RAZORPAY_WEBHOOK_SECRETS: 'the-current-webhook-secret,short' },
    'RAZORPAY_WEBHOOK_SECRETS',
  ],
  [
    'the key secret as webhook secret',
    { ...live, RAZORPAY_WEBHOOK_SECRETS: 'a-key-secret-of-razorpay' },
    'RAZORPAY_WEBHOOK_SECRETS',
  ],
  [
    "the emulator's webhook secret in production",
    { ...live, RAZORPAY_WEBHOOK_SECRETS: 'emu_webhook_secret_0001' },
    'RAZORPAY_WEBHOOK_SECRETS',
  ],
  [
    "the emulator's webhook secret as the one before",
    { ...live, RAZORPAY_WEBHOOK_SECRETS: 'the-current-webhook-secret,emu_webhook_secret_0001' },
    'RAZORPAY_WEBHOOK_SECRETS',
  ],
  [
    "the emulator's key secret in production",
    { ...live, RAZORPAY_KEY_SECRET: 'emu_key_secret_0001' },
    'RAZORPAY_KEY_SECRET',
  ],
  [
    "the emulator's key secret with a real test key",
    { ...tried, RAZORPAY_KEY_SECRET: 'emu_key_secret_0001' },
    'RAZORPAY_KEY_SECRET',
  ],
]

test.each(refused)('the error about %s names the variable', (_case, env, name) => {
  expect(() => resolveRazorpay(env)).toThrow(name)
  const values = Object.values(env).filter((value) => (value ?? '').length > 12)
  for (const value of values) {
    expect(() => resolveRazorpay(env)).not.toThrow(String(value))
  }
})
