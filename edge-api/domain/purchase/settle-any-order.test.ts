import { expect, test } from 'vitest'
import {
  openScenario,
  SCENARIOS,
  settleInOrders,
} from '../../../tests/harness/world/settle-orders.ts'
import { createWorld } from '../../../tests/harness/world/world.ts'
import { factsOf } from '../ports/payments.ts'
import { settle } from './settle.ts'

const SCENARIO_LIST = Object.entries(SCENARIOS)

test.each(SCENARIO_LIST)(
  '%s: the outcome is the same in the opposite order, and when everything is reported twice',
  (_name, scenario) => settleInOrders(createWorld(), scenario, 1),
)

test('purchases whose facts arrive in turns and in one instant end as each does alone', async () => {
  const world = createWorld()
  const crowd = await Promise.all(
    SCENARIO_LIST.map(async ([name, scenario]) => {
      const { orders, ...opened } = await openScenario(world, scenario)
      return { ...opened, name, ends: scenario.ends, facts: orders[0] ?? [] }
    }),
  )
  const turns = Math.max(...crowd.map(({ facts }) => facts.length))
  for (let turn = 0; turn < turns; turn += 1) {
    for (const { purchase, facts } of crowd) {
      await settle(world.ctx(), purchase, factsOf(facts[turn] ?? {}))
    }
  }
  for (const { name, ends, outcome } of crowd) expect(await outcome(), name).toMatchObject(ends)
})
