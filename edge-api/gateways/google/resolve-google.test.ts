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
  'a real client id is used only with Google (%s)',
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

const local = { ...STAND_IN, ENVIRONMENT: 'local' }

test.each([
  ['the emulator in production', { ...STAND_IN, ENVIRONMENT: 'production' }],
  ['the emulator in staging', { ...STAND_IN, ENVIRONMENT: 'staging' }],
  ['the emulator in an unset environment', STAND_IN],
  ['the emulator on another host', { ...local, GOOGLE_ISSUER: 'http://evil.test' }],
  ['a loopback name as user of a URL', { ...local, GOOGLE_ISSUER: 'http://localhost@evil.test' }],
  ['a name like a loopback address', { ...local, GOOGLE_ISSUER: 'http://127.0.0.1.evil.test' }],
  ['the emulator without an issuer', { ...local, GOOGLE_ISSUER: '' }],
  ['a real client with another issuer', { ...local, ...REAL }],
  ['an issuer without a client id', { ...local, GOOGLE_CLIENT_ID: undefined }],
  ['a malformed client id', { ...REAL, GOOGLE_CLIENT_ID: 'somebody' }],
  ['no secret', { ...REAL, GOOGLE_CLIENT_SECRET: undefined }],
  ['a short secret', { ...REAL, GOOGLE_CLIENT_SECRET: 'short' }],
])('rejects %s', (_, env) => {
  expect(() => resolveGoogle(env)).toThrow(GoogleNotConfigured)
})
