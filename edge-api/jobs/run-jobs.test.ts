import { expect, test } from 'vitest'
import { startListener } from '#harness/listener.ts'
import { createFixture } from '#harness/fixture/fixture.ts'
import { alertWebhookOf } from '../gateways/post-to-webhook.ts'
import { unavailableGateway } from '../gateways/razorpay/razorpay-gateway.ts'
import { runDaily, runEveryMinute } from './run-jobs.ts'

test('each job that fails alerts with its name, and the jobs after it run', async () => {
  const monitor = await startListener()
  const alertWebhook = alertWebhookOf({ ALARM_WEBHOOK_URL: '', HEARTBEAT_URL: monitor.url })
  const payments = { ...unavailableGateway, keyId: 'rzp_test_EMUkey00000001' }
  const fixture = createFixture({ databaseUrl: 'http://127.0.0.1:9', alertWebhook, payments })
  await runEveryMinute(fixture.ctx())
  await runDaily(fixture.ctx())
  const failed = fixture.alerts.filter(({ event }) => event === 'job failed')
  expect(failed.map(({ fields }) => fields['job'])).toEqual([
    'deliverDueMail',
    // Mail and alerts do not wait for Razorpay.
    'settleOpenPurchases',
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
  const alertWebhook = alertWebhookOf({ ALARM_WEBHOOK_URL: '', HEARTBEAT_URL: monitor.url })
  const fixture = createFixture({ alertWebhook, now: Date.UTC(2019, 0, 1) })
  await runEveryMinute(fixture.ctx())
  monitor.answers(500)
  await runEveryMinute(fixture.ctx())
  expect(monitor.requests.map(({ method }) => method)).toEqual(['GET', 'GET'])
  expect([fixture.alerts, fixture.errors]).toEqual([[], []])
})
