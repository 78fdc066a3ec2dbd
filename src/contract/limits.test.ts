import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { RATE_LIMITS } from './limits.ts'

test('wrangler.toml has the rate limits of the contract', () => {
  const toml = readFileSync(new URL('../../wrangler.toml', import.meta.url), 'utf8')
  const bound = [...toml.matchAll(/name = "LIMIT_(\w+)"[^[]*?limit = (\d+), period = (\d+)/g)]
  const figures = bound.map(([, name = '', limit, period]) => [camel(name), limit, period])
  const wanted = Object.entries(RATE_LIMITS).map(([name, calls]) => [name, String(calls), '60'])
  expect(figures.toSorted()).toEqual(wanted.toSorted())
})

function camel(name: string): string {
  return name.toLowerCase().replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}
