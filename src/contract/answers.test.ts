import { expect, test } from 'vitest'
import { answersIn } from './answers.ts'

test('two thousand tokens are about one answer', () => {
  expect([738_718, 1_000_000, 15_000, 1_999, 0].map(answersIn)).toEqual([370, 500, 7, 0, 0])
})
