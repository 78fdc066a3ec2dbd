import { expect, test } from 'vitest'
import { startListener } from '../../tests/harness/listener.ts'
import { createWorld } from '../../tests/harness/world/world.ts'
import { pagerOf } from '../gateways/pager.ts'
import { unavailableGateway } from '../gateways/razorpay/razorpay-gateway.ts'
import { runDaily, runEveryMinute } from './run-jobs.ts'

test('each job that fails alerts with its name, and the jobs after it run', async () => {
  const monitor = await startListener()
  const pager = pagerOf({ ALARM_WEBHOOK_URL: '', HEARTBEAT_URL: monitor.url })
  const payments = { ...unavailableGateway, keyId: 'rzp_test_EMUkey00000001' }
  const world = createWorld({ databaseUrl: 'http://127.0.0.1:9', pager, payments })
  await runEveryMinute(world.ctx())
  await runDaily(world.ctx())
  const failed = world.alerts.filter(({ event }) => event === 'job failed')
  expect(failed.map(({ fields }) => fields['job'])).toEqual([
    'settleOpenPurchases',
    'deliverDueMail',
    'remindPlanEnding',
    'announceTerms',
    'mailYesterday',
    'purgeExpired',
    // It may take all of its time.
    'auditPurchases',
  ])
  expect(monitor.requests, 'a run that failed').toEqual([])
})

test('a monitor hears of each minute whose jobs ran, and cannot make one fail', async () => {
  const monitor = await startListener()
  const pager = pagerOf({ ALARM_WEBHOOK_URL: '', HEARTBEAT_URL: monitor.url })
  const world = createWorld({ pager, now: Date.UTC(2019, 0, 1) })
  await runEveryMinute(world.ctx())
  monitor.answers(500)
  await runEveryMinute(world.ctx())
  expect(monitor.requests.map(({ method }) => method)).toEqual(['GET', 'GET'])
  expect([world.alerts, world.errors]).toEqual([[], []])
})
