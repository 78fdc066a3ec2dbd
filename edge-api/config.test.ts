import { expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

const limit = { limit: () => Promise.resolve({ success: true }) }

const GOOD = {
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
}

function faultOf(change: Record<string, unknown>): string {
  try {
    readConfig({ ...GOOD, ...change })
    return ''
  } catch (error) {
    return error instanceof ConfigError ? error.message : String(error)
  }
}

test('a whole environment is read: keys in order, the origin without its slash', () => {
  const config = readConfig(GOOD)
  expect(config.JWT_SECRETS.map(({ kid }) => kid)).toEqual(['k2', 'k1'])
  expect(config.PUBLIC_ORIGIN).toBe('https://sotto.example')
})

test('X8 an environment that names none is production', () => {
  expect(readConfig({ ...GOOD, ENVIRONMENT: undefined }).ENVIRONMENT).toBe('production')
})

test.each([
  ['JWT_SECRETS', undefined],
  ['JWT_SECRETS', ''],
  ['JWT_SECRETS', 'k1:too-short-to-be-a-secret'],
  ['JWT_SECRETS', 'a'.repeat(64)],
  ['JWT_SECRETS', `k1:${'a'.repeat(40)},k2:short-secret`],
  ['JWT_SECRETS', 'k1:tests-only-0123456789-abcdefghijklmnopqrstuvwxyz'],
  ['DATABASE_URL', undefined],
  ['DATABASE_URL', 'not an address'],
  ['DATABASE_URL', 'ftp://db.sotto.example'],
  ['PUBLIC_ORIGIN', undefined],
  ['LIMIT_SIGN_IN', undefined],
  ['ASSETS', undefined],
])('X8 %s being %j is named, its value is not', (name, value) => {
  const fault = faultOf({ [name]: value })
  expect(fault).toBe(`missing or unusable: ${name}`)
})

test('X8 the secret of the tests is good enough for a test and for a developer', () => {
  const JWT_SECRETS = 'k1:tests-only-0123456789-abcdefghijklmnopqrstuvwxyz'
  expect(readConfig({ ...GOOD, ENVIRONMENT: 'local', JWT_SECRETS }).ENVIRONMENT).toBe('local')
})

test('X8 all that is wrong is named at once', () => {
  expect(faultOf({ JWT_SECRETS: '', DATABASE_URL: '' })).toBe(
    'missing or unusable: DATABASE_URL, JWT_SECRETS',
  )
})
