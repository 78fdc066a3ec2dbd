import type { Site } from '../../../tests/harness/services.ts'
import { DAILY, EVERY_MINUTE } from '../../services/cron.ts'
import { seconds } from './seconds.ts'

const JOB_MAX_MS = 60_000

/** Runs the jobs of a minute and of a day, and tells how long each took (milliseconds) and which took too long. */
export async function measureJobs({ worker }: Site) {
  const run = async (name: string, cron: string) => {
    const began = performance.now()
    await worker.runCron(cron)
    const took = performance.now() - began
    console.log(`jobs of each ${name}: ${seconds(took)} s`)
    return took
  }
  console.log('')
  const took = { minute: await run('minute', EVERY_MINUTE), day: await run('day', DAILY) }
  const broken = Object.entries(took)
    .filter(([, ms]) => ms > JOB_MAX_MS)
    .map(([name, ms]) => `the jobs of each ${name} take ${seconds(ms)} s`)
  return { took, broken }
}
