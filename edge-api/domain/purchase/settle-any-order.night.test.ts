import { test } from 'vitest'
import { SCENARIOS, settleInOrders } from '../../../tests/harness/world/settle-orders.ts'
import { createWorld } from '../../../tests/harness/world/world.ts'

test.each(Object.entries(SCENARIOS))(
  '%s: the outcome is the same in every order, and when everything is reported twice',
  (_name, scenario) => settleInOrders(createWorld(), scenario, Infinity),
)
