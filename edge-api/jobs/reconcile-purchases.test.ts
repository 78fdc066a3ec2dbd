import { expect, test } from 'vitest'
import { useJobBench } from '../../tests/harness/world/job-bench.ts'
import { minutes } from '../domain/time.ts'
import { settleOpenPurchases } from './run-jobs.ts'

const bench = useJobBench()

test('a run that never ends does not keep the next from settling', async () => {
  const world = bench.world
  const hanging = { ...bench.gateway, paymentsOfOrder: () => new Promise<never>(() => undefined) }
  const stuck = await bench.openOrder()
  void settleOpenPurchases({ ...world.ctx(), payments: hanging })
  await expect
    .poll(async () => (await stuck.outcome()).nextCheckAt)
    .toBeGreaterThan(world.now() + minutes(4))
  world.advance(1)
  const { orderId, outcome } = await bench.openOrder()
  await bench.razorpay.pay(orderId)
  await settleOpenPurchases(world.ctx())
  expect(await outcome()).toMatchObject({ status: 'paid', grants: 1 })
})
