import { like } from 'drizzle-orm'
import { onTestFinished, expect, test } from 'vitest'
import { startEmulator, startSqld, testSecrets } from '../../tests/harness/services.ts'
import { createFixture } from '../../tests/harness/fixture/fixture.ts'
import { auditPayments } from '../../edge-api/domain/purchase/audit-payments.ts'
import { users } from '../../edge-api/db/schema/users.ts'
import { readCustomer } from '../../edge-api/admin/customer-rows.ts'
import { days } from '../../edge-api/domain/time.ts'
import { gatewayToEmulator } from './gateway-to-emulator.ts'
import { fillMonth } from './demo-month.ts'
import { pastProvider } from './demo-provider.ts'
import { useForYear, YEAR_DAYS, YEAR_EMAIL } from './demo-year.ts'
import type { Shop } from './demo-shop.ts'
import { SILENT_MS, troubles } from './demo-trouble.ts'
import { isReconciled } from './reconcile.ts'
import { stuck } from './stuck.ts'
import { verifyLedger } from './verify-ledger.ts'

/** A shop on a database and an emulator of its own, and the gateway through which the site would ask about it. */
async function newShop() {
  const [sqld, emulator] = await Promise.all([
    startSqld(),
    startEmulator({ webhookUrl: 'http://127.0.0.1:9/none' }),
  ])
  onTestFinished(async () => {
    await Promise.all([sqld.stop(), emulator.stop()])
  })
  const payments = gatewayToEmulator(emulator.url, testSecrets, {})
  const fixture = createFixture({ databaseUrl: sqld.url, payments })
  const ctx = fixture.ctx()
  const provider = pastProvider(testSecrets, emulator.url, ctx.now - days(YEAR_DAYS + 1))
  return { fixture, ctx, sqld, provider }
}

/** What the admin pages show of the customer whose address begins with `start`, as text. */
async function customerOf({ ctx }: Pick<Shop, 'ctx'>, start: string): Promise<string> {
  const { found } = await ctx.db.batch({
    found: ctx.db
      .select({ id: users.id })
      .from(users)
      .where(like(users.email, `${start}%`)),
  })
  return JSON.stringify(await readCustomer(ctx, found[0]?.id ?? ''))
}

/** What must hold for the demo: the ledger and the provider agree, and nothing waits but what the demo says. */
async function audit({ ctx, sqld }: Awaited<ReturnType<typeof newShop>>) {
  return {
    broken: await verifyLedger({ url: sqld.url }),
    isReconciled: isReconciled(await auditPayments(ctx, { since: ctx.now - days(31) })),
    waiting: (await stuck(ctx)).lines.map((line) => line.slice(10).split('  ')[0]),
  }
}

test('a demo month leaves open what it says, and the emulator knows all of its money', async () => {
  const shop = await newShop()
  const calm: Shop = { ...shop, silentFrom: Infinity }
  await fillMonth(calm, { customers: 20, more: [useForYear(calm, '')] })
  expect(await audit(shop)).toMatchObject({ broken: [], isReconciled: true })
  const { waiting } = await audit(shop)
  expect(waiting.filter((what) => what === 'alert' || what === 'unsettled purchase')).toEqual([])
  expect(waiting).toEqual(expect.arrayContaining(['owed refund', 'open dispute']))
  expect(await customerOf(shop, YEAR_EMAIL)).toContain('"tokensTotal":3000000')
}, 120_000)

test('the bad month raises its alerts, and each complaint is found by its address', async () => {
  const shop = await newShop()
  const silent: Shop = { ...shop, silentFrom: shop.ctx.now - SILENT_MS }
  await fillMonth(silent, { customers: 20, more: troubles(silent) })
  const kinds = new Set(shop.fixture.alerts.map(({ event }) => event))
  expect([...kinds].toSorted()).toEqual([
    'a payment is disputed',
    'captured money is owed back',
    'mail given up',
    'no webhook arrives',
  ])
  const late = await customerOf(shop, 'tara.lind@')
  expect(late).toContain('"tokensTotal":0')
  expect(late).toContain('still have no tokens')
  expect(await customerOf(shop, 'kira.okoye@')).toContain('E_DELIVERY_FAILED')
  expect(await customerOf(shop, 'max.grifter')).toMatch(/"name":"disp_\w+"/)
  expect((await audit(shop)).broken).toEqual([])
}, 120_000)
