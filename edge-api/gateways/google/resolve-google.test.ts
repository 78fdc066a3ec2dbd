import { expect, test } from 'vitest'
import { GoogleNotConfigured, resolveGoogle } from './resolve-google.ts'

const REAL = {
  GOOGLE_CLIENT_ID: '1234567890-abcdef.apps.googleusercontent.com',
  GOOGLE_CLIENT_SECRET: 'GOCSPX-0123456789abcdef',
}
const STAND_IN = {
  GOOGLE_CLIENT_ID: 'emulator',
  GOOGLE_CLIENT_SECRET: 'emulator_client_secret_0001',
  GOOGLE_ISSUER: 'http://127.0.0.1:8860',
}

test('without a client id Google is not offered, and nothing is thrown', () => {
  expect(resolveGoogle({})).toBeNull()
  expect(resolveGoogle({ GOOGLE_CLIENT_ID: '', GOOGLE_CLIENT_SECRET: '' })).toBeNull()
})

test.each(['production', 'local', undefined])(
  'a real client id speaks to Google alone (%s)',
  (ENVIRONMENT) => {
    expect(resolveGoogle({ ...REAL, ENVIRONMENT })).toEqual({
      clientId: REAL.GOOGLE_CLIENT_ID,
      clientSecret: REAL.GOOGLE_CLIENT_SECRET,
      issuers: ['https://accounts.google.com', 'accounts.google.com'],
      authorizationUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
      tokenUrl: 'https://oauth2.googleapis.com/token',
      jwksUrl: 'https://www.googleapis.com/oauth2/v3/certs',
    })
  },
)

test('the emulator is used on this machine, outside production', () => {
  expect(resolveGoogle({ ...STAND_IN, ENVIRONMENT: 'local' })).toMatchObject({
    issuers: ['http://127.0.0.1:8860'],
    tokenUrl: 'http://127.0.0.1:8860/token',
  })
})

test.each([
  ['a stand-in in production', { ...STAND_IN, ENVIRONMENT: 'production' }],
  ['a stand-in in staging', { ...STAND_IN, ENVIRONMENT: 'staging' }],
  ['a stand-in in an unset environment', STAND_IN],
  [
    'a stand-in elsewhere',
    { ...STAND_IN, ENVIRONMENT: 'local', GOOGLE_ISSUER: 'http://evil.test' },
  ],
  [
    'a stand-in with a loopback name as user',
    { ...STAND_IN, ENVIRONMENT: 'local', GOOGLE_ISSUER: 'http://localhost@evil.test' },
  ],
  [
    'a stand-in under a name that begins like loopback',
    { ...STAND_IN, ENVIRONMENT: 'local', GOOGLE_ISSUER: 'http://127.0.0.1.evil.test' },
  ],
  ['a stand-in without an address', { ...STAND_IN, ENVIRONMENT: 'local', GOOGLE_ISSUER: '' }],
  [
    'a real client sent elsewhere',
    { ...REAL, ENVIRONMENT: 'local', GOOGLE_ISSUER: STAND_IN.GOOGLE_ISSUER },
  ],
  ['an issuer without a client', { ENVIRONMENT: 'local', GOOGLE_ISSUER: STAND_IN.GOOGLE_ISSUER }],
  ['a client that is none of Google', { ...REAL, GOOGLE_CLIENT_ID: 'somebody' }],
  ['no secret', { ...REAL, GOOGLE_CLIENT_SECRET: undefined }],
  ['a short secret', { ...REAL, GOOGLE_CLIENT_SECRET: 'short' }],
])('fails closed: %s', (_, env) => {
  expect(() => resolveGoogle(env)).toThrow(GoogleNotConfigured)
})
