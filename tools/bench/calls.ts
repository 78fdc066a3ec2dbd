import { cpSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createClient } from '@libsql/client/http'
import { build } from 'vite'
import { createUser, type TestUser } from '../../tests/harness/user.ts'
import { scratchFolder } from '../../tests/harness/scratch-folder.ts'
import { startSite, startWorker } from '../../tests/harness/services.ts'
import { root } from '../launcher/settings.ts'
import { type Call, fire, quantile, type Volley } from './fire.ts'

/** Enough accounts that none reaches its limit. */
const MEMBERS = 40
const CONNECTIONS = 8

interface Case {
  call: (user: TestUser) => Call
  /** The yardstick, and the share of its requests per second to reach; a yardstick has none. */
  goal?: [yardstick: string, share: number]
}

/** The measured calls, each yardstick before the calls that are compared with it. */
const CASES: Record<string, Case> = {
  'bare constant': { call: () => ({ path: '/api/bare/constant' }) },
  'health/live': { call: () => ({ path: '/api/health/live' }), goal: ['bare constant', 0.5] },
  plans: { call: () => ({ path: '/api/subscription/plans' }), goal: ['bare constant', 0.5] },
  'bare read': { call: ({ userId }) => ({ path: `/api/bare/read?id=${userId}` }) },
  me: { call: ({ bearer }) => ({ path: '/api/auth/me', bearer }), goal: ['bare read', 0.9] },
  current: {
    call: ({ bearer }) => ({ path: '/api/subscription/current', bearer }),
    goal: ['bare read', 0.9],
  },
  'bare write': { call: () => ({ path: '/api/bare/write' }) },
  'use-tokens': {
    call: ({ bearer }) => ({ path: '/api/subscription/use-tokens', bearer, body: { amount: 1 } }),
    goal: ['bare write', 0.75],
  },
}

/**
 * `npm run bench -- calls --rounds=10 me`: calls beside the minimum that Hono and the libSQL client need for such an
 * answer, in turns of a second each, so that a busy machine slows all equally; all calls when none is named. Breaks no
 * budget, because ratios depend on the machine.
 */
export async function benchCalls(args: string[]): Promise<string[]> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { rounds: { type: 'string', default: '5' } },
  })
  const cases = casesNamed(positionals)
  const yardsticks = await buildYardsticks()
  const site = await startSite()
  const bare = await startWorker({
    databaseUrl: site.sqld.url,
    emulatorUrl: site.emulator.url,
    dist: yardsticks.dist,
  })
  try {
    await makeBareTables(site.sqld.url)
    const users = await makeUsers(site.worker.url, site.sqld.url)
    const volleys: Record<string, Volley[]> = {}
    for (let round = 0; round <= Number(values.rounds); round += 1) {
      for (const [name, { call }] of cases) {
        const worker = name.startsWith('bare') ? bare : site.worker
        let count = 0
        const next = () => call(users[(count += 1) % MEMBERS] ?? users[0])
        const volley = await fire(worker.url, next, { connections: CONNECTIONS, duration: 1 })
        // The first round only warms up.
        volleys[name] = round === 0 ? [] : [...(volleys[name] ?? []), volley]
      }
    }
    print(cases, volleys)
    return []
  } finally {
    await bare.stop()
    await site.stop()
    yardsticks.remove()
  }
}

/** These cases and their yardsticks; all when none is named. */
function casesNamed(names: readonly string[]): [string, Case][] {
  const wanted = names.flatMap((name) => [name, CASES[name]?.goal?.[0]])
  return Object.entries(CASES).filter(([name]) => names.length === 0 || wanted.includes(name))
}

async function makeUsers(siteUrl: string, databaseUrl: string): Promise<[TestUser, ...TestUser[]]> {
  const make = () => createUser({ siteUrl, databaseUrl, hasPlan: true })
  const users: [TestUser, ...TestUser[]] = [await make()]
  while (users.length < MEMBERS) users.push(await make())
  return users
}

function print(cases: readonly [string, Case][], volleys: Record<string, Volley[]>): void {
  const figures = (name: string) => {
    const all = volleys[name] ?? []
    const times = all.flatMap((volley) => volley.times)
    const seconds = all.reduce((sum, volley) => sum + volley.seconds, 0)
    return {
      perSecond: times.length / seconds,
      p50: quantile(times, 0.5),
      p99: quantile(times, 0.99),
    }
  }
  const rows = cases.map(([name, { goal }]) => {
    const { perSecond, p50, p99 } = figures(name)
    return [
      name,
      {
        'requests/s': Math.round(perSecond),
        'p50 ms': p50.toFixed(1),
        'p99 ms': p99.toFixed(1),
        'of its yardstick': goal ? (perSecond / figures(goal[0]).perSecond).toFixed(2) : '',
        goal: goal?.[1] ?? '',
      },
    ]
  })
  console.table(Object.fromEntries(rows))
}

/** Makes the tables that only the yardsticks use. */
async function makeBareTables(url: string): Promise<void> {
  await createClient({ url }).batch(
    [
      'CREATE TABLE bare_uses (id TEXT PRIMARY KEY, tokens INTEGER NOT NULL)',
      'CREATE TABLE bare_balance (id INTEGER PRIMARY KEY, used INTEGER NOT NULL)',
      'INSERT INTO bare_balance VALUES (1, 0)',
    ],
    'write',
  )
}

/** Builds the yardsticks into a folder like our own build's, so that workerd runs both in the same way. */
async function buildYardsticks() {
  const { path, remove } = scratchFolder('yardsticks')
  const dist = join(path, 'dist')
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    ssr: { noExternal: true, target: 'webworker' },
    build: {
      ssr: join(import.meta.dirname, 'yardstick-worker.ts'),
      outDir: join(dist, 'server'),
      emptyOutDir: true,
      minify: true,
      rolldownOptions: { output: { entryFileNames: 'entry.mjs' } },
    },
  })
  cpSync(join(root, 'dist/miniflare.json'), join(dist, 'miniflare.json'))
  symlinkSync(join(root, 'dist/client'), join(dist, 'client'))
  return { dist, remove }
}
