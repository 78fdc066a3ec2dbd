import { expect, test } from 'vitest'
import { createWorld } from '../../tests/harness/world/world.ts'
import { RateWatch } from './observe.ts'

function watch() {
  const world = createWorld()
  const rates = new RateWatch()
  const answer = (times: number, status: number) => {
    const { log, now } = world.ctx()
    for (let time = 0; time < times; time += 1) rates.count(status, now, log)
  }
  return { world, answer, alerts: world.alerts }
}

test.each([
  [401, 60, '401'],
  [429, 60, '429'],
  [503, 20, '5xx'],
])('answers of %i alert once a minute, from the %ith on', (status, limit, kind) => {
  const { world, answer, alerts } = watch()
  answer(limit - 1, status)
  expect(alerts).toEqual([])
  answer(limit, status)
  expect(alerts).toEqual([{ event: 'many calls fail', fields: { status: kind, count: limit } }])
  world.advance(60_000)
  answer(limit - 1, status)
  expect(alerts).toHaveLength(1)
  answer(1, status)
  expect(alerts).toHaveLength(2)
})

test('each kind is counted separately, and other answers not at all', () => {
  const { answer, alerts } = watch()
  answer(500, 200)
  answer(500, 400)
  answer(10, 500)
  answer(9, 503)
  answer(59, 401)
  answer(59, 429)
  expect(alerts).toEqual([])
  answer(1, 500)
  expect(alerts.map(({ fields }) => fields['status'])).toEqual(['5xx'])
})
