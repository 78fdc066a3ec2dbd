import { expect, test } from 'vitest'
import { advance, choose, startRotation, stop } from './rotation.ts'

test('the first item follows the last', () => {
  let rotation = startRotation(3, true)
  const seen = [0, 1, 2, 3].map(() => {
    const { index } = rotation
    rotation = advance(rotation)
    return index
  })
  expect(seen).toEqual([0, 1, 2, 0])
})

test('a choice wraps around both ends and ends automatic steps', () => {
  const start = startRotation(6, true)
  expect(choose(start, -1)).toEqual({ index: 5, count: 6, isAuto: false })
  expect(choose(start, 6)).toEqual({ index: 0, count: 6, isAuto: false })
  expect(advance(choose(start, 2)).index).toBe(2)
})

test('a stopped rotation stays at its item', () => {
  const stopped = stop(advance(startRotation(6, true)))
  expect(stopped.index).toBe(1)
  expect(advance(stopped)).toBe(stopped)
})

test('a rotation that is not automatic does not advance', () => {
  const still = startRotation(6, false)
  expect(advance(still)).toBe(still)
})
