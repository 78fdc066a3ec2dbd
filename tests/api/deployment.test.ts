import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { unstable_readConfig } from 'wrangler'
import { RATE_LIMITS } from '../../src/contract/limits.ts'
import {
  configFaults,
  REQUIRED,
  SECRETS as NAMES,
  sharedFaults,
} from '../../tools/deploy/check-config.ts'
import { root } from '../../tools/launcher/settings.ts'
import { SECRETS } from '../harness/whole-environment.ts'

const ORIGIN = 'https://sotto.example'

const declared = (env: string) => unstable_readConfig({ config: join(root, 'wrangler.toml'), env })

test.each(['', 'production', 'staging'])(
  'the environment %j of wrangler.toml has every binding, the rate limits of the contract, and logs no addresses',
  (name) => {
    const { vars, ratelimits, send_email, logpush, observability, placement, triggers, limits } =
      declared(name)
    const figures = [...new Set(Object.values(RATE_LIMITS))].toSorted((a, b) => a - b)
    const wanted = figures.map((limit) => ({
      name: `LIMIT_${limit}`,
      simple: { limit, period: 60 },
    }))
    expect(ratelimits).toMatchObject(wanted)
    expect(ratelimits).toHaveLength(wanted.length)
    expect(vars).toEqual({ ENVIRONMENT: name || 'production' })
    expect(send_email).toEqual([{ name: 'EMAIL' }])
    expect(logpush).toBe(true)
    expect(observability).toMatchObject({ enabled: true, logs: { invocation_logs: false } })
    expect(placement).toEqual({ mode: 'smart' })
    expect(triggers.crons).toHaveLength(2)
    // Without it a run may send 10,000, which the daily purge of 200,000 users takes.
    expect(limits).toEqual({ subrequests: 100_000 })
  },
)

test('no two rate limits share a count, and staging shares none with production', () => {
  const limits = [...declared('production').ratelimits, ...declared('staging').ratelimits]
  expect(new Set(limits.map(({ namespace_id }) => namespace_id)).size).toBe(limits.length)
})

test('a complete configuration is fine; all faulty names are reported at once, without their values', () => {
  const faults = (change: Record<string, string>) =>
    configFaults(declared('staging'), { ...SECRETS, ...change }, ORIGIN)
  expect(faults({})).toEqual([])
  expect(
    faults({
      DATABASE_URL: 'http://db.sotto.example',
      DATABASE_AUTH_TOKEN: '',
      JWT_SECRETS: 'k1:tests-only-0123456789-abcdefghijklmnopqrstuvwxyz',
      RAZORPAY_KEY_ID: 'rzp_live_abcdefgh123456',
      GOOGLE_CLIENT_ID: 'somebody',
      JWT_SECRET: 'misspelt',
    }),
  ).toEqual([
    'DATABASE_AUTH_TOKEN is missing',
    'JWT_SECRET is not a secret of the Worker',
    'JWT_SECRETS is unusable',
    'DATABASE_URL is unusable',
    'RAZORPAY_KEY_ID is missing or not one for this ENVIRONMENT',
    'GOOGLE_CLIENT_SECRET is missing or too short',
  ])
  expect(configFaults(declared('production'), {}, ORIGIN)).toHaveLength(7)
})

test('two environments do not share a database, however its address is written', () => {
  const other = (DATABASE_URL: string) => ({ name: 'production', secrets: { DATABASE_URL } })
  for (const same of ['https://DB.sotto.example/', 'libsql://DB.sotto.example']) {
    const told = sharedFaults(SECRETS, other(same))
    expect(told).toEqual([expect.stringContaining('names the database of production')])
  }
  expect(sharedFaults(SECRETS, other('libsql://db-2.sotto.example'))).toEqual([])
  expect(sharedFaults({}, other(''))).toEqual([])
})

test('the sample of the secrets and the hosted deployment name every secret, and no other', () => {
  const sample = readFileSync(join(root, '.secrets.example.env'), 'utf8')
  const inSample = [...sample.matchAll(/^(# )?([A-Z_]+)=/gm)]
  expect(inSample.map(([, , name]) => name)).toEqual(NAMES)
  const required = inSample.filter(([, comment]) => comment === undefined)
  expect(required.map(([, , name]) => name)).toEqual(REQUIRED)
  const workflow = readFileSync(join(root, '.github/workflows/deploy.yml'), 'utf8')
  const handedOver = [...workflow.matchAll(/^ +(\w+): \$\{\{ secrets\.(\w+) \}\}$/gm)]
  const own = ['CLOUDFLARE_API_TOKEN', 'CLOUDFLARE_ACCOUNT_ID', 'BACKUP_KEY']
  expect(handedOver.map(([, name]) => name)).toEqual([...own, ...NAMES])
  expect(handedOver.every(([, name, secret]) => name === secret)).toBe(true)
})
