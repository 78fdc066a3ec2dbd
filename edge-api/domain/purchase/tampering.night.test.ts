import { readFile } from 'node:fs/promises'
import { createClient } from '@libsql/client/http'
import { eq } from 'drizzle-orm'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createAccount } from '../../../tests/harness/world/account.ts'
import { deskOf } from '../../../tests/harness/world/desk.ts'
import { readAllRows } from '../../../tests/harness/world/empty-world.ts'
import { openJobBench } from '../../../tests/harness/world/job-bench.ts'
import { paymentFor, providerId, refundOf } from '../../../tests/harness/world/purchase.ts'
import { paymentEvent } from '../../../tests/harness/world/razorpay.ts'
import { use } from '../../../tests/harness/world/refund.ts'
import { taxed } from '../../../tests/harness/world/taxed.ts'
import { callOf, databaseUrl } from '../../../tests/harness/world/world.ts'
import { describeReport, reconcile } from '../../../tools/ops/reconcile.ts'
import { brokenRules, RULE_COUNT } from '../../../tools/ops/verify-ledger.ts'
import { OUTSIDE_INDIA } from '../../../src/contract/billing.ts'
import { purchases, webhookEvents } from '../../db/schema/purchases.ts'
import { type Facts, factsOf, type RefundOrDispute } from '../ports/payments.ts'
import { days, hours, minutes } from '../time.ts'
import { recordUsageSession } from '../tokens/record-usage-session.ts'
import { trialFor, trialStatements } from '../tokens/trial.ts'
import { askRefund, refundQuote } from './ask-refund.ts'
import { auditPayments } from './audit-payments.ts'
import { createOrder, createTokenOrder } from './create-order.ts'
import { createPaymentLink } from './create-payment-link.ts'
import { type Purchase, requirePurchase } from './find-purchase.ts'
import { reconcilePurchases } from './reconcile.ts'
import { settle } from './settle.ts'
import { retryWebhooks } from './webhooks.ts'

type Shop = Awaited<ReturnType<typeof openShop>>

/** What somebody with the webhook secret can make us believe. */
const FORGERIES: Record<string, (shop: Shop) => Promise<unknown>> = {
  'A signed webhook tells of a captured payment that Razorpay does not know': ({ ids, forge }) =>
    forge(ids.unpaid, (purchase) => ({ payments: [paymentFor(purchase, { beganAt: null })] })),
  'A webhook that nobody signed is put among those that wait': ({ orderId, wait }) =>
    wait(paymentEvent('payment.captured', { id: providerId('pay'), order_id: orderId })),
  'A refund is made up, and its tokens are taken as for a true one': (shop) => forgeRefund(shop),
  'A refund of long ago is made up, and its tokens are taken as for a true one': (shop) =>
    forgeRefund(shop, { beganAt: 1 }),
  'A dispute is made up and lost, which takes a plan and its tokens': (shop) =>
    forgeRefund(shop, { kind: 'dispute', id: providerId('disp'), amountMinor: 299_900 }),
}

function forgeRefund({ ids: { kept }, forge, now }: Shop, facts: Partial<RefundOrDispute> = {}) {
  return forge(kept, (purchase) => {
    const payment = paymentFor(purchase, { paymentId: kept.payment })
    const refund = refundOf(payment, { amountMinor: 5_000, beganAt: now(), ...facts })
    return { refundsAndDisputes: [refund] }
  })
}

interface Change {
  what: string
  /** When nothing finds it, why it harms nobody or cannot be found. */
  because: string | undefined
  /** Statements. */
  by: string
}

/** How the reasons begin of changes that nothing finds. */
const [HARMLESS, UNKNOWN] = ['Nobody is harmed: ', 'Nobody can know: ']

/** The changes of tampering.sql: each begins with its comment. */
async function readChanges({ ids }: Shop): Promise<Change[]> {
  const text = await readFile(new URL('tampering.sql', import.meta.url), 'utf8')
  const [, ...entries] = text.trim().split(/^(?=-- (?!Nobody))/m)
  return entries.map((entry) => {
    const [what = '', second = ''] = entry.split('\n').map((line) => line.replace(/^-- /, ''))
    const because = [HARMLESS, UNKNOWN].some((word) => second.startsWith(word)) ? second : undefined
    const by = entry
      .trim()
      .replace(/;$/, '')
      .replaceAll(
        /:(\w+)\.(purchase|payment|user)\b/g,
        (_, whose: keyof typeof ids, id: 'purchase') => `'${ids[whose][id]}'`,
      )
    return { what, because, by }
  })
}

test('every change by somebody with the database token is found and named, or the page says why not', async () => {
  const shop = await openShop()
  const { check, pastGuards, restore } = shop
  const untouched = { broken: [], reconciled: ['Nothing was missing.'] }
  expect(await check()).toEqual(untouched)
  const found: string[] = []
  const unfound: string[] = []
  const rules = new Set<string>()
  const look = async ({ what, because }: Pick<Change, 'what' | 'because'>) => {
    const { broken, reconciled } = await check()
    await restore()
    if (because !== undefined) {
      expect.soft({ broken, reconciled }, what).toEqual(untouched)
      unfound.push(`| ${what} | ${because} |`)
      return
    }
    const [, example = reconciled[0] ?? ''] = broken
    const [word = ''] = reconciled[0]?.split(/[ :]/) ?? []
    const isFound = word !== 'Nothing'
    expect.soft(isFound || broken.length > 0, `nothing finds: ${what}`).toBe(true)
    const names = broken.flatMap((line) => /^Broken: (.*)\.$/.exec(line)?.[1] ?? [])
    for (const name of names) rules.add(name)
    const said = names.join('; ') || '–'
    found.push(`| ${what} | ${said} | ${isFound ? word : '–'} | ${anonymous(example)} |`)
  }
  for (const [what, forge] of Object.entries(FORGERIES)) {
    await forge(shop)
    await look({ what, because: undefined })
  }
  for (const change of await readChanges(shop)) {
    await pastGuards([change.by])
    await look(change)
  }
  expect(await check()).toEqual(untouched)
  expect(rules.size, 'each rule has a change that it finds').toBe(RULE_COUNT)
  await expect(pageOf(found, unfound)).toMatchFileSnapshot('../../../docs/tampering.md')
})

const pageOf = (found: string[], unfound: string[]) =>
  [
    '# What finds which tampering',
    '',
    'Each of these was done to a database with sales, refunds and a dispute in it, past its guards. `verify-ledger` reads the',
    'database alone; `reconcile`, as the daily audit, compares it with Razorpay: refunds of the last 30 days, disputes of the last',
    '180, or all of them since its DATE if that is earlier. It also compares the money that is owed back whole, which the daily',
    'audit does not. The last column is what an operator reads.',
    '`edge-api/domain/purchase/tampering.sql` has them; its test does all of it each night, and wrote this page (`npm test -- tampering.night -u`).',
    '',
    '| Change | Rules that `verify-ledger` calls broken | `reconcile` begins with | For example |',
    '| --- | --- | --- | --- |',
    ...found,
    '',
    '## What nothing finds, because it harms nobody, or because nothing else knows',
    '',
    '| Change | Why |',
    '| --- | --- |',
    ...unfound,
    '',
  ].join('\n')

/** Ids differ in each run. */
const anonymous = (line: string) =>
  line.trim().replaceAll(/\b(rfnd|pay|disp|order|usr|pur|act)_\w+(?::[\w-]{36})?/g, '$1_…')

/** A seller with GST, a few customers, and what happened to them. All of it is at Razorpay, too. */
async function openShop() {
  const { world, razorpay } = await openJobBench()
  const ctx = () => taxed(world.ctx())
  const audit = () => auditPayments(ctx(), { since: world.now() - days(2) })

  async function order(preferredCurrency: 'INR' | 'USD' = 'USD', place = OUTSIDE_INDIA) {
    const billing = JSON.stringify({ place, name: '', address: '', gstin: '' })
    const claims = await createAccount(world.ctx(), { emailVerifiedAt: world.now(), billing })
    const { db } = ctx()
    await db.batch(
      trialStatements(ctx(), await trialFor(ctx(), { ...claims, googleSubject: null })),
    )
    const body = { planType: 'pro', preferredCurrency }
    const { purchaseId, order: placed } = await createOrder(ctx(), { ...callOf(claims), body })
    const ids = { purchase: purchaseId, payment: '', user: claims.userId }
    return { claims, orderId: placed.id, ids }
  }

  async function buy(...item: Parameters<typeof order>) {
    const ordered = await order(...item)
    const { paymentId } = await razorpay.pay(ordered.orderId)
    world.advance(minutes(2))
    await reconcilePurchases(ctx())
    return { ...ordered, ids: { ...ordered.ids, payment: paymentId } }
  }

  async function askBack({
    claims,
    ids: { purchase: purchaseId },
  }: Awaited<ReturnType<typeof buy>>) {
    const call = { ...callOf(claims), params: { purchaseId } }
    const { refund } = await refundQuote(ctx(), call)
    await askRefund(ctx(), { ...call, body: { amount: refund.amount } })
  }

  const kept = await buy('INR', '29')
  const named = { entity: { id: kept.orderId, receipt: kept.ids.purchase } }
  const heard = {
    eventId: 'paid',
    event: 'order.paid',
    body: JSON.stringify({ payload: { order: named } }),
    receivedAt: world.now(),
    processedAt: world.now(),
  }
  await world.ctx().db.batch([world.ctx().db.insert(webhookEvents).values(heard)])
  await use(world, kept.claims, 300_000)
  const session = { sessionId: 'interview-1' }
  const report = (body: Parameters<typeof recordUsageSession>[1]['body']) =>
    recordUsageSession(ctx(), { ...callOf(kept.claims), body })
  await report({ ...session, event: 'start', mode: 'interview' })
  await report({ ...session, event: 'end', succeeded: true, secondsSaved: 60 })
  await deskOf(world).carryOut({ kind: 'adjust_tokens', userId: kept.ids.user, tokens: 5_000 })
  const returned = await buy()
  await razorpay.send('POST', `/payments/${returned.ids.payment}/refund`, {})
  const inPart = await buy()
  await use(world, inPart.claims, 900_000)
  await razorpay.send('POST', `/payments/${inPart.ids.payment}/refund`, { amount: 1_000 })
  await deskOf(world).carryOut({ kind: 'extend_plan', userId: inPart.ids.user, days: 30 })
  const disputed = await buy()
  const dispute = { event: 'created', amount: 500 }
  await razorpay.send('POST', `/payments/${disputed.ids.payment}/dispute`, dispute)
  const odd = await order()
  await razorpay.send('POST', '/scenario', { name: 'wrong-amount', order_id: odd.orderId })
  await world.drain()
  world.advance(hours(2))
  const sent = await buy('INR', '27')
  await use(world, sent.claims, 250_000)
  await askBack(sent)
  await world.drain()
  const twice = await buy('INR', '27')
  for (const amount of [100_000, 50_000]) {
    world.advance(minutes(2))
    await razorpay.send('POST', `/payments/${twice.ids.payment}/refund`, { amount })
  }
  world.advance(hours(2))
  await reconcilePurchases(ctx())
  await audit()
  const packed = await createTokenOrder(ctx(), {
    ...callOf(twice.claims),
    body: { currency: 'INR' },
  })
  await razorpay.pay(packed.order.id)
  world.advance(minutes(2))
  await reconcilePurchases(ctx())
  await use(world, twice.claims, 700_000)
  const linked = await order()
  await createPaymentLink(ctx(), {
    ...callOf(linked.claims),
    body: { planType: 'pro', preferredCurrency: 'USD' },
  })
  const asked = await buy('INR', '29')
  await use(world, asked.claims, 500_000)
  await askBack(asked)
  const unpaid = await order()
  await deskOf(world).carryOut({
    kind: 'refund',
    userId: twice.ids.user,
    purchaseId: packed.purchaseId,
    amountMinor: 10_000,
  })
  await deskOf(world).carryOut({ kind: 'suspend', userId: odd.ids.user })
  await deskOf(world).carryOut({ kind: 'switch', name: 'trial', isOn: false })
  world.advance(minutes(5))
  await reconcilePurchases(ctx())
  await audit()
  world.advance(hours(2))
  await audit()

  return {
    ids: {
      kept: kept.ids,
      returned: returned.ids,
      inPart: inPart.ids,
      disputed: disputed.ids,
      odd: odd.ids,
      sent: sent.ids,
      asked: asked.ids,
      unpaid: unpaid.ids,
      twice: twice.ids,
      pack: { ...twice.ids, purchase: packed.purchaseId },
      linked: linked.ids,
    },
    now: world.now,
    orderId: unpaid.orderId,
    /** Settles a webhook that is stored and was not settled. */
    wait: async (body: string) => {
      const { db } = ctx()
      const event = { eventId: 'waits', event: 'payment.captured', body, receivedAt: 1 }
      await db.batch([db.insert(webhookEvents).values(event)])
      await retryWebhooks(ctx())
    },
    /** Settles made-up facts about a purchase. */
    forge: async (
      { purchase: id }: typeof kept.ids,
      factsAbout: (of: Purchase) => Partial<Facts>,
    ) => {
      const { db } = ctx()
      const [rows] = await db.batch([db.select().from(purchases).where(eq(purchases.id, id))])
      const purchase = requirePurchase(rows)
      await settle(ctx(), purchase, factsOf(factsAbout(purchase)))
    },
    check: async () => {
      world.advance(minutes(1))
      const broken = await brokenRules((queries) => readAllRows(ctx(), queries))
      return {
        broken,
        reconciled: describeReport(await reconcile(ctx(), world.now() - days(2))).slice(1),
      }
    },
    ...(await copyOf()),
  }
}

/** A copy of all rows in the same database, to change rows past their guards and to restore them. */
async function copyOf() {
  const client = createClient({ url: databaseUrl() })
  const { rows } = await client.execute(
    "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE '\\_%' ESCAPE '\\'",
  )
  const named = (type: string) =>
    rows.filter((row) => row['type'] === type && !String(row['name']).startsWith('libsql'))
  const triggers = named('trigger')
  const tables = named('table').map(({ name }) => String(name))
  const copyName = (table: string) => `_copy_of_${table}`
  const pastGuards = async (statements: readonly string[]) => {
    // Guards of other tables are not in the way, and a change of the schema is slow.
    const guards = triggers.filter(({ tbl_name: table }) =>
      statements.some((statement) => new RegExp(`\\b${String(table)}\\b`).test(statement)),
    )
    const script = [
      'PRAGMA foreign_keys = OFF',
      'BEGIN IMMEDIATE',
      ...guards.map(({ name }) => `DROP TRIGGER ${String(name)}`),
      ...statements,
      ...guards.map(({ sql }) => String(sql)),
      'COMMIT',
    ].join(';\n')
    // Unfinished work may still hold the database.
    await vi.waitFor(() => client.executeMultiple(script), { timeout: 60_000 })
  }
  await client.executeMultiple(
    tables
      .map((table) => `CREATE TABLE ${copyName(table)} AS SELECT * FROM ${table} ORDER BY rowid`)
      .join(';\n'),
  )
  onTestFinished(async () => {
    await client.executeMultiple(tables.map((table) => `DROP TABLE ${copyName(table)}`).join(';\n'))
    client.close()
  })
  return {
    pastGuards,
    restore: async () => {
      const differs = (table: string) => {
        const [rows, copies] = [`SELECT * FROM ${table}`, `SELECT * FROM ${copyName(table)}`]
        return `SELECT '${table}' AS name WHERE EXISTS (${rows} EXCEPT ${copies}) OR EXISTS (${copies} EXCEPT ${rows})`
      }
      const found = await client.execute(tables.map(differs).join(' UNION ALL '))
      await pastGuards(
        found.rows.flatMap(({ name }) => [
          `DELETE FROM ${String(name)}`,
          `INSERT INTO ${String(name)} SELECT * FROM ${copyName(String(name))} ORDER BY rowid`,
        ]),
      )
    },
  }
}
