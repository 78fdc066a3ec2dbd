import { afterAll, beforeAll, expect, test } from 'vitest'
import { startJobBench, type JobBench } from '../../tests/harness/world/job-bench.ts'
import { minutes } from '../domain/time.ts'
import { settleOpenPurchases } from './reconcile-purchases.ts'

let bench: JobBench
beforeAll(async () => {
  bench = await startJobBench()
})
afterAll(() => bench.stop())

test('a run that never ends does not keep the next from settling', async () => {
  const world = bench.world()
  const hanging = { ...bench.gateway, paymentsOfOrder: () => new Promise<never>(() => undefined) }
  const stuck = await bench.openOrder(world)
  void settleOpenPurchases({ ...world.ctx(), payments: hanging })
  await expect
    .poll(async () => (await stuck.outcome()).nextCheckAt)
    .toBeGreaterThan(world.now() + minutes(4))
  world.advance(1)
  const { orderId, outcome } = await bench.openOrder(world)
  await bench.razorpay.pay(orderId)
  await settleOpenPurchases(world.ctx())
  expect(await outcome()).toMatchObject({ status: 'paid', grants: 1 })
})
