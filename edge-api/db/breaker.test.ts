import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Breaker } from './breaker.ts'
import { DatabaseUnavailable } from './database-error.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const newBreaker = () => new Breaker(Date.now)
const answered = (breaker: Breaker) => breaker.pass(() => Promise.resolve('answered'))

/** Calls without an answer, and how each ends. */
function hangingCalls(breaker: Breaker, count: number) {
  const answers: (() => void)[] = []
  const ends: string[] = []
  const hang = () => new Promise<void>((resolve) => answers.push(resolve))
  for (let each = 0; each < count; each += 1) {
    breaker.pass(hang).then(
      () => ends.push('answered'),
      (error: unknown) => ends.push(error instanceof DatabaseUnavailable ? 'refused' : 'failed'),
    )
  }
  return { ends, answer: () => answers.forEach((resolve) => resolve()) }
}

test('while the database answers nobody two calls wait, and all others are refused within seconds', async () => {
  const breaker = newBreaker()
  const { ends, answer } = hangingCalls(breaker, 80)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(ends).toEqual([])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(ends).toEqual(Array(78).fill('refused'))
  await expect(answered(breaker)).rejects.toThrow(DatabaseUnavailable)
  answer()
  await vi.advanceTimersByTimeAsync(0)
  expect(ends.slice(78)).toEqual(['answered', 'answered'])
  await expect(answered(breaker)).resolves.toBe('answered')
})

test('calls that began before the last answer are refused too', async () => {
  const breaker = newBreaker()
  const { ends } = hangingCalls(breaker, 80)
  await vi.advanceTimersByTimeAsync(1_000)
  await answered(breaker)
  await vi.advanceTimersByTimeAsync(6_000)
  expect(ends).toEqual(Array(78).fill('refused'))
})

test('a timeout is no answer: until there is one, two more calls may wait and others are refused at once', async () => {
  const breaker = newBreaker()
  hangingCalls(breaker, 8)
  await vi.advanceTimersByTimeAsync(6_000)
  const probe = () => breaker.pass(() => Promise.reject(new DatabaseUnavailable('too late')))
  await vi.advanceTimersByTimeAsync(55_000)
  await expect(probe()).rejects.toThrow('too late')
  const { ends } = hangingCalls(breaker, 10)
  await vi.advanceTimersByTimeAsync(0)
  expect(ends).toEqual(Array(8).fill('refused'))
})

test('calls that wait long are refused neither alone nor while others are answered', async () => {
  const breaker = newBreaker()
  const few = hangingCalls(breaker, 3)
  await vi.advanceTimersByTimeAsync(14_000)
  await expect(answered(breaker)).resolves.toBe('answered')
  const many = hangingCalls(breaker, 20)
  for (let second = 0; second < 10; second += 1) {
    await vi.advanceTimersByTimeAsync(1_000)
    await expect(answered(breaker)).resolves.toBe('answered')
  }
  few.answer()
  many.answer()
  await vi.advanceTimersByTimeAsync(0)
  expect([...few.ends, ...many.ends]).toEqual(Array(23).fill('answered'))
})

test('calls that were cut off without an end refuse nothing after a minute', async () => {
  const breaker = newBreaker()
  hangingCalls(breaker, 8)
  await vi.advanceTimersByTimeAsync(60_000)
  await expect(answered(breaker)).rejects.toThrow(DatabaseUnavailable)
  await vi.advanceTimersByTimeAsync(1)
  await expect(answered(breaker)).resolves.toBe('answered')
})
