import { expect, test } from 'vitest'
import { CallGate } from './database.ts'
import { DatabaseBusy } from './database-error.ts'

test('a call beyond the limit is rejected at once, and accepted when another one is done', async () => {
  const gate = new CallGate(2, Date.now)
  const { promise, resolve } = Promise.withResolvers<string>()
  const first = gate.pass(() => promise)
  const second = gate.pass(() => promise)
  await expect(gate.pass(() => promise)).rejects.toBeInstanceOf(DatabaseBusy)
  resolve('done')
  expect(await Promise.all([first, second])).toEqual(['done', 'done'])
  expect(await gate.pass(() => Promise.resolve('next'))).toBe('next')
})

test('a call that fails frees its place', async () => {
  const gate = new CallGate(1, Date.now)
  await expect(gate.pass(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await gate.pass(() => Promise.resolve('next'))).toBe('next')
})

test('a call that was cut off frees its place after a minute', async () => {
  let now = 0
  const gate = new CallGate(1, () => now)
  const cutOff = new Promise<never>(() => undefined)
  void gate.pass(() => cutOff)
  now += 59_999
  await expect(gate.pass(() => cutOff)).rejects.toBeInstanceOf(DatabaseBusy)
  now += 1
  expect(await gate.pass(() => Promise.resolve('next'))).toBe('next')
})
