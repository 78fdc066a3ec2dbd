import { expect, test } from 'vitest'
import { minutes } from '../time.ts'
import { nextCheckAfter } from './check-schedule.ts'

test('a check at its very instant is followed by the next one, not by itself', () => {
  const createdAt = 1_790_000_000_000
  expect(nextCheckAfter(createdAt + minutes(1) - 1, createdAt)).toBe(createdAt + minutes(1))
  expect(nextCheckAfter(createdAt + minutes(1), createdAt)).toBe(createdAt + minutes(3))
})
