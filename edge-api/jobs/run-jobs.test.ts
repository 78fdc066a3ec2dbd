import { expect, test } from 'vitest'
import { createWorld } from '../../tests/harness/world/world.ts'
import { runDaily, runEveryMinute } from './run-jobs.ts'

test('each job that fails alerts with its name, and the jobs after it run', async () => {
  const world = createWorld({ databaseUrl: 'http://127.0.0.1:9' })
  await runEveryMinute(world.ctx())
  await runDaily(world.ctx())
  const failed = world.alerts.filter(({ event }) => event === 'job failed')
  expect(failed.map(({ fields }) => fields['job'])).toEqual([
    'deliverDueMail',
    'remindPlanEnding',
    'announceTerms',
    'purgeExpired',
  ])
})
