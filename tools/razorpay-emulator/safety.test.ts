import { expect, test } from 'vitest'
import { createBench } from './bench.ts'
import { isLoopbackUrl, refuseProduction } from './safety.ts'

test('only keys of the emulator are taken', () => {
  expect(() => createBench({ keyId: 'rzp_live_EMUkey00000001' })).toThrow('rzp_test_EMU')
  expect(() => createBench({ keyId: 'rzp_test_1DP5mmOlF5G5ag' })).toThrow('rzp_test_EMU')
})

test('webhooks go to this machine only', () => {
  expect(() => createBench({ webhookUrl: 'https://sotto.example/hook' })).toThrow('this machine')
  expect(() => createBench({ webhookUrl: 'http://localhost.evil.example/' })).toThrow()
  expect(() => createBench({ publicOrigin: 'http://10.0.0.5:8790' })).toThrow('this machine')
  expect(isLoopbackUrl('http://[::1]:8787/hook')).toBe(true)
  expect(isLoopbackUrl('file://localhost/etc')).toBe(false)
})

test.each([
  ['ENVIRONMENT', 'production'],
  ['NODE_ENV', 'production'],
  ['CF_PAGES', '1'],
  ['WORKERS_CI', '1'],
])('it refuses to run where %s is %s, which is where something is deployed', (name, value) => {
  expect(() => refuseProduction({ [name]: value })).toThrow(name)
  expect(() => refuseProduction({ ENVIRONMENT: 'local' })).not.toThrow()
})

test('a live key in a request is refused and reported', async () => {
  const lines: string[] = []
  const bench = createBench({ log: (line) => lines.push(line) })
  const authorization = `Basic ${btoa('rzp_live_abcdefghijklmn:secret')}`
  const answer = await bench.api('GET', '/orders', undefined, { authorization })
  expect(answer.status).toBe(401)
  expect(lines.join()).toContain('LIVE')
})

test('control calls need the control token, health does not', async () => {
  const bench = createBench()
  const state = await bench.emulator.fetch(new Request('http://localhost:8790/__emu/state'))
  expect(state.status).toBe(403)
  const health = await bench.emulator.fetch(new Request('http://localhost:8790/__emu/health'))
  expect(await health.json()).toEqual({ ok: true })
})
