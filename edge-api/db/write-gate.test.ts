import { expect, test } from 'vitest'
import { DatabaseBusy } from './database-error.ts'
import { WriteGate } from './write-gate.ts'

test('a write beyond the limit is refused at once, and accepted when another one is done', async () => {
  const gate = new WriteGate(2)
  const { promise, resolve } = Promise.withResolvers<string>()
  const first = gate.pass(() => promise)
  const second = gate.pass(() => promise)
  await expect(gate.pass(() => promise)).rejects.toBeInstanceOf(DatabaseBusy)
  resolve('done')
  expect(await Promise.all([first, second])).toEqual(['done', 'done'])
  expect(await gate.pass(() => Promise.resolve('next'))).toBe('next')
})

test('a write that fails frees its place', async () => {
  const gate = new WriteGate(1)
  await expect(gate.pass(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await gate.pass(() => Promise.resolve('next'))).toBe('next')
})
