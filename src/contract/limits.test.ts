import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  BIO_MAX,
  NAME_MAX,
  PASSWORD_MIN,
  RATE_LIMITS,
  SUPPORT_COUNTER,
  USE_TOKENS_DEFAULT,
  USERNAME_MAX,
  USERNAME_MIN,
} from './limits.ts'

test('spec 9: password from 6, username 3 to 30, names to 50, bio to 500, counter 1000, use 1', () => {
  expect([PASSWORD_MIN, USERNAME_MIN, USERNAME_MAX, NAME_MAX]).toEqual([6, 3, 30, 50])
  expect([BIO_MAX, SUPPORT_COUNTER, USE_TOKENS_DEFAULT]).toEqual([500, 1_000, 1])
})

test('the rate limits of the Worker are those of the contract', () => {
  const toml = readFileSync(new URL('../../wrangler.toml', import.meta.url), 'utf8')
  const bound = [...toml.matchAll(/name = "LIMIT_(\w+)"[^[]*?limit = (\d+), period = (\d+)/g)]
  const figures = bound.map(([, name = '', limit, period]) => [camel(name), limit, period])
  const wanted = Object.entries(RATE_LIMITS).map(([name, calls]) => [name, String(calls), '60'])
  expect(figures.toSorted()).toEqual(wanted.toSorted())
})

function camel(name: string): string {
  return name.toLowerCase().replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}
