import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { unstable_readConfig } from 'wrangler'
import { meEndpoint } from '../../src/contract/account.ts'
import { createOrderEndpoint, createTokenOrderEndpoint } from '../../src/contract/purchase.ts'
import { useTokensEndpoint } from '../../src/contract/report-usage.ts'
import { LaunchError } from '../../tools/launcher/bootstrap/launch-error.mjs'
import { root, workerVars } from '../../tools/launcher/settings.ts'
import { backup, restore } from '../../tools/ops/backup.ts'
import { operatorContext } from '../../tools/ops/operator-context.ts'
import { reconcile } from '../../tools/ops/reconcile.ts'
import { verifyLedger } from '../../tools/ops/verify-ledger.ts'
import { askGood } from '../harness/ask.ts'
import { startProxy } from '../harness/database-proxy.ts'
import { scratchFolder } from '../harness/scratch-folder.ts'
import {
  type Site,
  type Sqld,
  startSite,
  startSqld,
  startWorker,
  testSecrets,
} from '../harness/services.ts'
import { newVisitor } from '../harness/visitor.ts'
import { createUser } from '../harness/user.ts'
import { controlOf } from '../harness/fixture/razorpay.ts'

let site: Site
let restored: Sqld | undefined
const scratch = scratchFolder('backup')
const file = join(scratch.path, 'backup.sql.gz')

beforeAll(async () => {
  site = await startSite()
})

afterAll(async () => {
  await site.stop()
  await restored?.stop()
  scratch.remove()
})

/** The context of `npm run ops -- reconcile` on a database. */
function contextOf(databaseUrl: string, emulatorUrl: string) {
  const ports = { port: 8787, dbPort: 8788, razorpayPort: Number(new URL(emulatorUrl).port) }
  const vars = { ...testSecrets, ...workerVars(ports, ''), DATABASE_URL: databaseUrl }
  const declared = unstable_readConfig({ config: join(root, 'wrangler.toml'), env: '' })
  return operatorContext(declared, vars)
}

async function execute(url: string, statement: string): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    body: JSON.stringify({ statements: [statement] }),
  })
  return response.json()
}

test('after a restore and a reconciliation, what was bought since is named, and what was bought before is there', async () => {
  const { worker, sqld, emulator } = site
  const place = { siteUrl: worker.url, databaseUrl: sqld.url }
  const plan = { body: { planType: 'pro' } } as const
  const buyer = await createUser(place)
  const { order } = await askGood(buyer, createOrderEndpoint, plan)
  await controlOf(emulator.url).pay(order.id)
  const total = async () => (await askGood(buyer, meEndpoint)).user.tokens.total
  await expect.poll(total).toBe(1_000_000)
  await askGood(buyer, useTokensEndpoint, { body: { amount: 7 } })
  // Texts that a careless parser of SQL would misread.
  const query = "It's \\n odd;\nEND;\n-- not a comment\r\n' BEGIN; \u2028 \r ü€😀"
  await newVisitor(worker.url).call('/api/support/submit', {
    json: { email: 'ada@example.test', query },
  })
  await backup({ url: sqld.url }, file)
  expect(await verifyLedger({ url: sqld.url })).toEqual([])
  const pack = await askGood(buyer, createTokenOrderEndpoint)
  const later = await askGood(await createUser(place), createOrderEndpoint, plan)
  const lost: string[] = []
  for (const { order } of [pack, later])
    lost.push((await controlOf(emulator.url).pay(order.id)).paymentId)

  await sqld.kill()
  restored = await startSqld({ isMigrated: false })
  const { url } = restored
  expect(await restore({ url }, file)).toBeGreaterThan(100)
  expect(await verifyLedger({ url })).toEqual([])
  const { foreign, ...rest } = await reconcile(contextOf(url, emulator.url), Date.UTC(2026, 0, 1))
  // Razorpay lists payments of one second in any order.
  expect(foreign.map(({ id }) => id).toSorted()).toEqual(lost.toSorted())
  expect(rest).toMatchObject({ found: [], contradicted: [], failed: [] })
  expect(await verifyLedger({ url })).toEqual([])

  const again = await startWorker({ databaseUrl: url, emulatorUrl: emulator.url })
  const call = { bearer: buyer.bearer, json: { amount: 3 } }
  const used = await newVisitor(again.url).call('/api/subscription/use-tokens', call)
  expect(used.body).toMatchObject({ tokens: { used: 10, total: 1_000_000 } })
  await again.stop()
  const tickets = JSON.stringify(await execute(url, 'SELECT query FROM support_tickets'))
  expect(tickets).toContain(JSON.stringify(query).slice(1, -1))
  const tampered = JSON.stringify(await execute(url, 'UPDATE ledger SET tokens = 1'))
  expect(tampered).toContain('the ledger is append-only')
})

test('a backup is not restored over a database that holds tables', async () => {
  const target = await startSqld()
  await expect(restore({ url: target.url }, file)).rejects.toThrow('is not empty')
  await target.stop()
})

test('a restore waits while the database is locked', async () => {
  const target = await startSqld({ isMigrated: false })
  const error = { message: 'database is locked', code: 'SQLITE_BUSY' }
  const locked = { baton: null, base_url: null, results: Array(2).fill({ type: 'error', error }) }
  let rejections = 0
  const proxy = await startProxy(target.url, (request) => {
    if (rejections === 2 || !request.includes('BEGIN DEFERRED')) return null
    rejections += 1
    return { status: 200, body: JSON.stringify(locked) }
  })
  expect(await restore({ url: proxy.url }, file)).toBeGreaterThan(100)
  expect(rejections).toBe(2)
  expect(await verifyLedger({ url: target.url })).toEqual([])
  await target.stop()
})

test('a backup replaces no file; a failure to write or read is reported in one sentence', async () => {
  const target = await startSqld({ isMigrated: false })
  const { url } = target
  const refused = async (work: Promise<number>) => {
    const error = await work.catch((fault: unknown) => fault)
    expect(error).toBeInstanceOf(LaunchError)
    return error instanceof Error ? error.message : ''
  }
  expect(await refused(backup({ url }, file))).toBe(
    `${file} exists. Delete it, or choose another name.`,
  )
  const nowhere = join(scratch.path, 'none/backup.sql.gz')
  expect(await refused(backup({ url }, nowhere))).toContain('Nothing was backed up: ENOENT')
  expect(await refused(restore({ url }, nowhere))).toContain('ENOENT')
  expect(await refused(restore({ url }, import.meta.filename))).toContain('incorrect header')
  await target.stop()
})

test('an unreachable database is reported in one sentence', async () => {
  await expect(backup({ url: 'http://127.0.0.1:9' }, `${file}.2`)).rejects.toThrow(
    'No database answers at http://127.0.0.1:9.',
  )
  await expect(restore({ url: 'http://127.0.0.1:9' }, file)).rejects.toThrow('fetch failed')
  await expect(verifyLedger({ url: 'http://127.0.0.1:9' })).rejects.toThrow(
    'The database at http://127.0.0.1:9 cannot be read: ',
  )
})
