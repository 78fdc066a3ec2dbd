import { createClient } from '@libsql/client/http'
import type { Site } from '../../../tests/harness/services.ts'
import { DAILY } from '../../services/cron.ts'
import { paceOf } from '../figures.ts'
import { seedExpiredSessions } from '../seed.ts'
import { type Call, type Caller, makeCaller, send } from './calls.ts'
import { fill } from './fill.ts'
import { moveIntoMemory } from './move-into-memory.ts'
import { seconds } from './seconds.ts'

const SPENDING_MAX_MS = 500
/** Uses of tokens that took longer are counted, and the slowest of them are listed. */
const SPENDING_SLOW_MS = 250
const SLOWEST_LISTED = 5
/** Enough that none of them meets the limit of an account. */
const SPENDERS = 10

/** A use of tokens: when it was sent after the purge began and how long its answer took, in milliseconds. */
interface Use {
  at: number
  ms: number
}

/**
 * Deletes as many expired sessions as there are users while tokens are used. The database's files are in memory, where there is
 * enough: what a disk adds that takes half a second for one sync now and then is that disk's.
 */
export async function measurePurge(site: Site, count: number) {
  await fill(site, (seed) => seedExpiredSessions(seed, count, count))
  const where = (await moveIntoMemory(site)) ? 'in memory' : 'on disk'
  const { took, uses } = await spendWhilePurging(site)
  const pace = paceOf(
    uses.map(({ ms }) => ms),
    took / 1_000,
  )
  const slowest = uses.toSorted((one, other) => other.ms - one.ms).slice(0, SLOWEST_LISTED)
  const slow = uses.filter(({ ms }) => ms > SPENDING_SLOW_MS).length
  console.log(
    `purge of ${count} sessions ${where}: ${seconds(took)} s, meanwhile ${uses.length} uses of tokens, p50 ${pace.p50.toFixed(1)} ms, p99 ${pace.p99.toFixed(1)} ms`,
  )
  console.log(
    `${slow} took more than ${SPENDING_SLOW_MS} ms; the slowest: ${slowest.map(told).join(', ')}`,
  )
  const worst = pace.worst.toFixed(0)
  return {
    figures: { where, took, uses: uses.length, ...pace, slow, slowest },
    line: `purge ${where} ${seconds(took)} s, beside it uses of tokens p50 ${pace.p50.toFixed(1)}, p99 ${pace.p99.toFixed(1)}, worst ${worst} ms`,
    broken: pace.worst > SPENDING_MAX_MS ? [`a use of tokens took ${worst} ms`] : [],
  }
}

const told = ({ at, ms }: Use) => `${ms.toFixed(0)} ms after ${seconds(at)} s`

async function spendWhilePurging(site: Site): Promise<{ took: number; uses: Use[] }> {
  const spenders: Caller[] = []
  for (let nth = 0; nth < SPENDERS; nth += 1) {
    spenders.push(await makeCaller(site, { uses: 1, others: 1 }))
  }
  const call: Call = { path: '/api/subscription/use-tokens', body: () => ({ amount: 1 }) }
  const began = performance.now()
  let isOver = false
  const purge = purgeAll(site).finally(() => {
    isOver = true
  })
  const uses: Use[] = []
  const spend = async () => {
    while (!isOver) {
      for (const spender of spenders) {
        const at = performance.now() - began
        uses.push({ at, ms: await send(site.worker.url, call, spender) })
      }
    }
  }
  await Promise.all([purge, spend(), spend()])
  return { took: performance.now() - began, uses }
}

/** Runs the daily jobs until nothing is left to purge: one run stops after ten minutes. */
async function purgeAll({ sqld, worker }: Site): Promise<void> {
  const client = createClient({ url: sqld.url })
  const isLeft = async () => {
    const { rows } = await client.execute(
      "SELECT 1 FROM sessions WHERE id >= 'old_' AND id < 'old`' LIMIT 1",
    )
    return rows.length > 0
  }
  while (await isLeft()) await worker.runCron(DAILY)
  client.close()
}
