import { expect, test } from 'vitest'
import { Breaker } from './breaker.ts'
import { DatabaseUnavailable } from './database-error.ts'

function hangingCalls(breaker: Breaker, count: number) {
  const answers: (() => void)[] = []
  const hang = () => new Promise<void>((resolve) => answers.push(resolve))
  const calls = Array.from({ length: count }, () => breaker.pass(hang))
  return { calls, answer: () => answers.forEach((resolve) => resolve()) }
}

test('while the database answers nobody, further calls are refused at once', async () => {
  let now = 1_000_000
  const breaker = new Breaker(() => now)
  const { calls, answer } = hangingCalls(breaker, 8)
  now += 3_001
  await expect(breaker.pass(() => Promise.resolve('answered'))).rejects.toThrow(DatabaseUnavailable)
  answer()
  await Promise.all(calls)
  await expect(breaker.pass(() => Promise.resolve('answered'))).resolves.toBe('answered')
})

test('calls that wait long refuse nothing while others are answered', async () => {
  let now = 1_000_000
  const breaker = new Breaker(() => now)
  const { calls, answer } = hangingCalls(breaker, 7)
  now += 3_001
  await expect(breaker.pass(() => Promise.resolve('answered'))).resolves.toBe('answered')
  const more = hangingCalls(breaker, 10)
  await expect(breaker.pass(() => Promise.resolve('answered'))).resolves.toBe('answered')
  answer()
  more.answer()
  await Promise.all([...calls, ...more.calls])
})

test('calls that were cut off without an end refuse nothing after a minute', async () => {
  let now = 1_000_000
  const breaker = new Breaker(() => now)
  hangingCalls(breaker, 8)
  now += 60_000
  const call = () => breaker.pass(() => Promise.resolve('answered'))
  await expect(call()).rejects.toThrow(DatabaseUnavailable)
  now += 1
  await expect(call()).resolves.toBe('answered')
})
