import { expect, test } from 'vitest'
import { WHOLE_ENVIRONMENT } from '#harness/whole-environment.ts'
import { ConfigError, readConfig, readPageConfig } from './config.ts'

function faultOf(change: Record<string, unknown>): string {
  try {
    readConfig({ ...WHOLE_ENVIRONMENT, ...change })
    return ''
  } catch (error) {
    return error instanceof ConfigError ? error.message : String(error)
  }
}

test('a complete environment is read: keys in order, the origin without its slash', () => {
  const config = readConfig(WHOLE_ENVIRONMENT)
  expect(config.JWT_SECRETS.map(({ kid }) => kid)).toEqual(['k2', 'k1'])
  expect(config.PUBLIC_ORIGIN).toBe('https://sotto.example')
})

test('an environment without a name is production', () => {
  expect(readConfig({ ...WHOLE_ENVIRONMENT, ENVIRONMENT: undefined }).ENVIRONMENT).toBe(
    'production',
  )
})

test.each([
  ['JWT_SECRETS', undefined],
  ['JWT_SECRETS', 'k1:too-short-to-be-a-secret'],
  ['JWT_SECRETS', `k1:${'a'.repeat(40)},k2:short-secret`],
  ['JWT_SECRETS', 'k1:tests-only-0123456789-abcdefghijklmnopqrstuvwxyz'],
  ['JWT_SECRETS', `k2:${'a'.repeat(40)},k1:tests-only-0123456789-abcdefghijklmnopqrstuvwxyz`],
  ['TRIAL_SECRET', 'short'],
  ['TRIAL_SECRET', `tests-only-${'a'.repeat(30)}`],
  ['DATABASE_URL', 'not an address'],
  ['DATABASE_URL', 'ftp://db.sotto.example'],
  ['PUBLIC_ORIGIN', undefined],
  ['ALARM_WEBHOOK_URL', 'not an address'],
  ['HEARTBEAT_URL', 'ftp://monitor.example'],
  ['LIMIT_10', undefined],
  ['ASSETS', undefined],
])('for %s = %j the error names the variable and not its value', (name, value) => {
  const fault = faultOf({ [name]: value })
  expect(fault).toBe(`missing or unusable: ${name}`)
})

test.each([
  ['PUBLIC_ORIGIN', 'http://sotto.example'],
  ['DATABASE_URL', 'http://db.sotto.example'],
  ['DATABASE_URL', 'libsql://db.sotto.example?tls=0'],
  ['ALARM_WEBHOOK_URL', 'http://chat.example/hook'],
  ['HEARTBEAT_URL', 'http://monitor.example/beat'],
])('strangers meet no %s = %s, which has no TLS', (name, value) => {
  for (const ENVIRONMENT of ['production', 'staging']) {
    expect(faultOf({ ENVIRONMENT, [name]: value })).toBe(`missing or unusable: ${name}`)
  }
  expect(faultOf({ ENVIRONMENT: 'local', [name]: value })).toBe('')
})

test("the tests' secret is accepted on a developer's machine, and not in staging", () => {
  const JWT_SECRETS = 'k1:tests-only-0123456789-abcdefghijklmnopqrstuvwxyz'
  expect(faultOf({ ENVIRONMENT: 'local', JWT_SECRETS })).toBe('')
  expect(faultOf({ ENVIRONMENT: 'staging' })).toBe('')
  expect(faultOf({ ENVIRONMENT: 'staging', JWT_SECRETS })).toBe('missing or unusable: JWT_SECRETS')
})

test('one error names every unusable variable', () => {
  expect(faultOf({ JWT_SECRETS: '', DATABASE_URL: '' })).toBe(
    'missing or unusable: DATABASE_URL, JWT_SECRETS',
  )
})

test('pages need only their files, and an unknown environment counts as production', () => {
  const { ASSETS } = WHOLE_ENVIRONMENT
  expect(readPageConfig({ ASSETS, ENVIRONMENT: 'local' })).toEqual({ ASSETS, ENVIRONMENT: 'local' })
  expect(readPageConfig({ ASSETS, ENVIRONMENT: 'moon' }).ENVIRONMENT).toBe('production')
  expect(readPageConfig({ ASSETS }).ENVIRONMENT).toBe('production')
  expect(() => readPageConfig({ ENVIRONMENT: 'local' })).toThrow('missing or unusable: ASSETS')
})
