import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createUser } from '../../tests/harness/user.ts'
import { type Site, startSite } from '../../tests/harness/services.ts'
import { DAILY, EVERY_MINUTE } from '../services/cron.ts'
import { type Call, fire, quantile } from './fire.ts'
import { intoFile, seedHistory, seedUsers, throughServer } from './seed.ts'

/** With all users in the database a call may take this many times as long as on an empty one. */
const SLOWER_MAX = 1.2
const JOB_MAX_MS = 60_000
const ROUNDS = 10
/** Enough history to fill every page that a call answers. */
const SHORT_PAST = { uses: 150, others: 110 }
const LONG_PAST = { uses: 300_000, others: 5_000 }

/** The most frequent calls. Sign-in takes as long as one password hash. */
const CALLS: Record<string, Call> = {
  'health/live': { path: '/api/health/live' },
  plans: { path: '/api/subscription/plans' },
  me: { path: '/api/auth/me' },
  current: { path: '/api/subscription/current' },
  'use-tokens': { path: '/api/subscription/use-tokens', body: { amount: 1 } },
  usage: { path: '/api/usage?days=90' },
  ledger: { path: '/api/usage/ledger' },
  notices: { path: '/api/auth/notices' },
  'sign-ins': { path: '/api/auth/sign-ins' },
  sessions: { path: '/api/auth/sessions' },
  purchases: { path: '/api/payment/purchases' },
}

/**
 * `npm run bench -- seed 1000000`: calls on an empty database and beside a million users, in turns, so that a busy
 * machine slows both; the jobs likewise. Returns each call and job that growth slows.
 */
export async function benchGrowth([count = '10000']: string[]): Promise<string[]> {
  const users = Number(count)
  const [empty, seeded] = [await startSite(), await startSite()]
  try {
    await fill(seeded, users)
    const long = {
      uses: Math.min(LONG_PAST.uses, users),
      others: Math.min(LONG_PAST.others, users),
    }
    const before = await makeCaller(empty, SHORT_PAST)
    const after = await makeCaller(seeded, long)
    const rows: Record<string, object> = {}
    const broken: string[] = []
    for (const [name, call] of Object.entries(CALLS)) {
      let medians = await compare(call, before, after)
      // Measures once more, because noise seldom repeats.
      if (medians.ratio > SLOWER_MAX) medians = await compare(call, before, after)
      const { ratio } = medians
      rows[name] = {
        'empty, p50 ms': medians.empty.toFixed(1),
        [`${users} users`]: medians.seeded.toFixed(1),
        'slower by': ratio.toFixed(2),
      }
      if (ratio > SLOWER_MAX) broken.push(`${name} is ${ratio.toFixed(2)} times slower`)
    }
    console.table(rows)
    return [...broken, ...(await slowJobs(seeded))]
  } finally {
    await Promise.all([empty.stop(), seeded.stop()])
  }
}

/** Fills the database of a site while its server is stopped. */
async function fill({ sqld }: Site, users: number): Promise<void> {
  await sqld.kill()
  const folder = join(sqld.folder, 'data/dbs/default')
  const { run, close } = intoFile(join(folder, 'data'))
  await seedUsers({ run, now: Date.now() }, users)
  close()
  // After a stop that it considers unclean, the server reads the whole database before it answers.
  rmSync(join(folder, '.sentinel'))
  await sqld.restart()
}

type Send = (call: Call) => Promise<number[]>

/** A user with a plan and a history. It sends a call 20 times and returns how long each took. */
async function makeCaller(site: Site, past: { uses: number; others: number }): Promise<Send> {
  const { url } = site.sqld
  const siteUrl = site.worker.url
  const { userId, bearer } = await createUser({ siteUrl, databaseUrl: url, hasPlan: true })
  await seedHistory({ run: throughServer(url), now: Date.now() }, { userId, ...past })
  return async (call) => {
    const next = () => ({ ...call, bearer })
    return (await fire(siteUrl, next, { connections: 4, amount: 20 })).times
  }
}

/** The medians of a call on both sites in milliseconds, and the second as a multiple of the first. */
async function compare(call: Call, onEmpty: Send, onSeeded: Send) {
  await Promise.all([onEmpty(call), onSeeded(call)])
  const times: { empty: number[]; seeded: number[] } = { empty: [], seeded: [] }
  for (let round = 0; round < ROUNDS; round += 1) {
    times.empty.push(...(await onEmpty(call)))
    times.seeded.push(...(await onSeeded(call)))
  }
  const [empty, seeded] = [quantile(times.empty, 0.5), quantile(times.seeded, 0.5)]
  return { empty, seeded, ratio: seeded / empty }
}

/** Runs the jobs of a minute and of a day, prints how long they took, and returns those that took too long. */
async function slowJobs({ worker }: Site): Promise<string[]> {
  const broken: string[] = []
  for (const [name, cron] of Object.entries({ minute: EVERY_MINUTE, day: DAILY })) {
    const began = performance.now()
    await worker.runCron(cron)
    const took = performance.now() - began
    const line = `the jobs of each ${name} take ${(took / 1_000).toFixed(1)} s`
    console.log(line)
    if (took > JOB_MAX_MS) broken.push(line)
  }
  return broken
}
