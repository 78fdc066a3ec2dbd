import { expect, test } from 'vitest'
import { HashGate } from './hash-gate.ts'

const newGate = () => new HashGate(() => new Promise((resolve) => setTimeout(resolve, 1)))

test('of 60 hashes at once two run at a time, twenty are done, and the others are told when to come back', async () => {
  const gate = newGate()
  let running = 0
  let most = 0
  const hash = async () => {
    running += 1
    most = Math.max(most, running)
    await new Promise((resolve) => setTimeout(resolve, 5))
    running -= 1
    return 'hash'
  }
  const outcomes = await Promise.allSettled(Array.from({ length: 60 }, () => gate.pass(hash)))
  const refused = outcomes.filter(({ status }) => status === 'rejected')
  expect(outcomes.length - refused.length).toBe(20)
  expect(most).toBe(2)
  expect(refused[0]).toMatchObject({
    reason: { code: 'OVERLOADED', detail: { retryAfterSeconds: 5 } },
  })
  expect(await gate.pass(hash)).toBe('hash')
})

test('a hash that fails gives its place back', async () => {
  const gate = newGate()
  const failing = () => Promise.reject(new Error('no'))
  for (let time = 0; time < 25; time += 1) {
    await expect(gate.pass(failing)).rejects.toThrow('no')
  }
  expect(await gate.pass(() => Promise.resolve('hash'))).toBe('hash')
})
