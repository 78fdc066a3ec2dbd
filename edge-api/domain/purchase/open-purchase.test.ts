import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { OUTSIDE_INDIA } from '../../../src/contract/billing.ts'
import { MAIN_PLAN, TOKEN_PACK } from '../../../src/contract/catalogue.ts'
import { SERVER } from '../../../src/contract/messages.ts'
import { createAccount } from '#harness/fixture/account.ts'
import { type EmptyFixture, emptyFixture } from '#harness/fixture/empty-fixture.ts'
import { createPurchase, paymentFor, providerId, refundOf } from '#harness/fixture/purchase.ts'
import { withEachBatch } from '#harness/fixture/fixture.ts'
import { openPaid } from '#harness/fixture/refund.ts'
import { userOf } from '#harness/fixture/rows.ts'
import { taxed } from '#harness/fixture/taxed.ts'
import type { purchases } from '../../db/schema/purchases.ts'
import { unavailableGateway } from '../../gateways/razorpay/razorpay-gateway.ts'
import { eraseStatements } from '../data-rights/delete-account.ts'
import type { Context, Claims } from '../context.ts'
import { factsOf } from '../ports/payments.ts'
import { hours, minutes } from '../time.ts'
import { openPurchase, type PurchaseRequest } from './open-purchase.ts'
import { settle } from './settle.ts'

/** A request for the main plan in USD, unless it says otherwise. */
function requestOf(claims: Claims, changes: Partial<PurchaseRequest> = {}): PurchaseRequest {
  return {
    claims,
    item: MAIN_PLAN,
    currency: 'USD',
    idempotencyKey: null,
    channel: 'checkout',
    ...changes,
  }
}

/** Opens a purchase with an order that Razorpay made. */
const openWithOrder = (ctx: Context, request: PurchaseRequest) =>
  openPurchase(ctx, request, (purchase) => {
    const isOrdered = purchase.razorpayOrderId !== null
    return Promise.resolve(
      isOrdered ? purchase : { ...purchase, razorpayOrderId: providerId('order') },
    )
  })

async function newShopper(given?: EmptyFixture) {
  const fixture = given ?? (await emptyFixture())
  const claims = await createAccount(fixture.ctx())
  return {
    fixture,
    claims,
    open: (changes: Partial<PurchaseRequest> = {}, ctx: Context = fixture.ctx()) =>
      openWithOrder(ctx, requestOf(claims, changes)),
    count: async () =>
      (
        await fixture.read(`SELECT count(*) AS n FROM purchases WHERE user_id = '${claims.userId}'`)
      )[0]?.['n'],
    /** Saves billing details, and returns them as they are stored. */
    moveTo: async (place: string, gstin = '') => {
      const billing = JSON.stringify({ place, name: '', address: '', gstin })
      await fixture.read(sql`UPDATE users SET billing = ${billing} WHERE id = ${claims.userId}`)
      return billing
    },
  }
}

test('a purchase opens at the price of the catalogue and is found again for fifteen minutes', async () => {
  const { fixture, claims, open, count } = await newShopper()
  const first = await open()
  expect(first).toMatchObject({
    userId: claims.userId,
    sku: MAIN_PLAN.sku,
    tokens: MAIN_PLAN.tokens,
    accessDays: MAIN_PLAN.accessDays,
    amountMinor: MAIN_PLAN.priceMinor.USD,
    status: 'open',
    nextCheckAt: fixture.now() + minutes(1),
  })
  fixture.advance(minutes(15) - 1)
  expect((await open()).id).toBe(first.id)
  expect(await count()).toBe(1)
  fixture.advance(1)
  expect((await open()).id).not.toBe(first.id)
})

test('an account opens twenty purchases a day that it does not pay, also by calls at once, so that it keeps no other from being checked', async () => {
  const { fixture, open, count } = await newShopper()
  for (let opened = 0; opened < 19; opened += 1) {
    await open()
    fixture.advance(minutes(15))
  }
  await Promise.allSettled([open(), open({ currency: 'INR' })])
  expect(await count()).toBe(20)
  fixture.advance(minutes(15))
  await expect(open()).rejects.toThrow(SERVER.dailyLimit)
  expect(await count()).toBe(20)
  fixture.advance(hours(20))
  expect(await open()).toMatchObject({ status: 'open' })
})

test('an account that is deleted, and a session that ends, while Razorpay makes the order, opens nothing', async () => {
  const { fixture, claims, open, count } = await newShopper()
  const other = await newShopper(fixture)
  /** Another caller sends this before the second batch, which writes. */
  const meanwhile = (send: (ctx: Context) => Promise<unknown>) => {
    const ctx = fixture.ctx()
    let batches = 0
    const db = withEachBatch(ctx.db, () => (++batches === 2 ? send(fixture.ctx()) : undefined))
    return { ...ctx, db }
  }
  const end = meanwhile((ctx) =>
    ctx.db.batch([
      ctx.db.run(sql`UPDATE sessions SET ended_at = 1 WHERE id = ${claims.sessionId}`),
    ]),
  )
  const deletion = meanwhile(async (ctx) => {
    const user = await userOf(ctx, other.claims.userId)
    return ctx.db.batch(eraseStatements(ctx, user, sql`true`))
  })
  const key = { idempotencyKey: 'a-key' }
  await expect(open(key, end)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
  await expect(other.open(key, deletion)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
  expect([await count(), await other.count()]).toEqual([0, 0])
  expect(await fixture.read('SELECT count(*) AS n FROM order_keys')).toEqual([{ n: 0 }])
})

test('an order makes its currency the one that the account prefers, also when it is found again, but not when its key is repeated', async () => {
  const { fixture, claims, open } = await newShopper()
  const preferred = async () => (await userOf(fixture.ctx(), claims.userId)).currency
  const keyed = { currency: 'INR', idempotencyKey: 'a-key' } as const
  for (const order of [
    keyed,
    { currency: 'USD' },
    { currency: 'INR' },
    { currency: 'USD' },
  ] as const) {
    await open(order)
    expect(await preferred()).toBe(order.currency)
  }
  await open(keyed)
  expect(await preferred()).toBe('USD')
})

const others: [string, Partial<typeof purchases.$inferInsert>][] = [
  ['of another item', { sku: 'token_pack' }],
  ['in another currency', { currency: 'INR' }],
  ['at another price', { amountMinor: MAIN_PLAN.priceMinor.USD + 1 }],
  ['of other tokens', { tokens: MAIN_PLAN.tokens + 1 }],
  ['with other billing details', { billing: '{}' }],
  ['by other keys of Razorpay', { paymentMode: 'live' }],
  ['that expired', { status: 'expired' }],
  ['whose payment is authorized', { status: 'authorized' }],
]

test('an open purchase that differs in anything is not sold as this one', async () => {
  const fixture = await emptyFixture()
  for (const [what, difference] of others) {
    const { claims, open } = await newShopper(fixture)
    const { id } = await createPurchase(fixture.ctx(), claims.userId, {
      sku: MAIN_PLAN.sku,
      kind: 'plan',
      accessDays: MAIN_PLAN.accessDays,
      tokens: MAIN_PLAN.tokens,
      amountMinor: MAIN_PLAN.priceMinor.USD,
      ...difference,
    })
    expect((await open()).id, what).not.toBe(id)
  }
})

test('while sales are paused nothing opens, no key is kept, and no open purchase is found', async () => {
  const { fixture, open, count } = await newShopper()
  const other = await newShopper(fixture)
  await other.open({ idempotencyKey: 'a-key' })
  await fixture.read(
    `INSERT INTO switches (name, is_on, text, changed_at, version) VALUES ('sales', 0, '', 1, 1)`,
  )
  const key = { idempotencyKey: 'another-key' }
  await expect(open(key)).rejects.toMatchObject({ code: 'SALES_PAUSED' })
  await expect(other.open(key)).rejects.toMatchObject({ code: 'SALES_PAUSED' })
  expect(await count()).toBe(0)
  expect(await fixture.read('SELECT count(*) AS n FROM order_keys')).toEqual([{ n: 1 }])
})

test('a key names its purchase for ever, before any newer one, and names no other', async () => {
  const { fixture, open, count } = await newShopper()
  const first = await open({ idempotencyKey: 'first' })
  fixture.advance(minutes(20))
  const second = await open({ idempotencyKey: 'second' })
  expect((await open({ idempotencyKey: 'first' })).id).toBe(first.id)
  expect((await open({ idempotencyKey: 'second' })).id).toBe(second.id)
  expect((await open({ idempotencyKey: 'third' })).id).toBe(second.id)
  fixture.advance(minutes(20))
  expect((await open({ idempotencyKey: 'third' })).id).toBe(second.id)
  expect(await count()).toBe(2)
})

test('a key is not used for another item, currency or payment mode', async () => {
  const { fixture, claims, open } = await newShopper()
  await open({ idempotencyKey: 'a-key' })
  const reused = { code: 'IDEMPOTENCY_KEY_REUSED' }
  const item = { ...MAIN_PLAN, sku: 'plus' }
  await expect(open({ idempotencyKey: 'a-key', item })).rejects.toMatchObject(reused)
  await expect(open({ idempotencyKey: 'a-key', currency: 'INR' })).rejects.toMatchObject(reused)
  const live = openWithOrder(fixture.ctxOf('live'), requestOf(claims, { idempotencyKey: 'a-key' }))
  await expect(live).rejects.toMatchObject(reused)
})

test('the key of a purchase that was paid and refunded sells nothing again', async () => {
  const { fixture, open } = await newShopper()
  const purchase = await open({ idempotencyKey: 'a-key' })
  const payment = paymentFor(purchase)
  const refunds = [refundOf(payment)]
  await settle(fixture.ctx(), purchase, factsOf({ payments: [payment], refunds }))
  const again = open({ idempotencyKey: 'a-key' })
  await expect(again).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' })
})

test('a token pack is sold only beside an active plan, and a plan only without one', async () => {
  const { fixture, open } = await newShopper()
  await expect(open({ item: TOKEN_PACK })).rejects.toMatchObject({ code: 'PLAN_REQUIRED' })
  const paid = await openPaid(undefined, fixture)
  const ask = (item: PurchaseRequest['item']) =>
    openWithOrder(fixture.ctx(), requestOf(paid.claims, { item }))
  expect(await ask(TOKEN_PACK)).toMatchObject({ kind: 'token_pack' })
  await expect(ask(MAIN_PLAN)).rejects.toMatchObject({ code: 'PLAN_ALREADY_ACTIVE' })
  expect(await fixture.read("SELECT count(*) AS n FROM purchases WHERE kind = 'plan'")).toEqual([
    { n: 1 },
  ])
})

test('nothing opens or is found without payments, or without an open session of the account', async () => {
  const { fixture, claims, open, count } = await newShopper()
  const without = { ...fixture.ctx(), payments: unavailableGateway }
  await expect(open({}, without)).rejects.toMatchObject({ code: 'NOT_CONFIGURED' })
  const refused = { code: 'UNAUTHENTICATED' }
  const stranger = await newShopper(fixture)
  const stolen = { ...claims, sessionId: stranger.claims.sessionId }
  await expect(open({ claims: stolen })).rejects.toMatchObject(refused)
  expect(await count()).toBe(0)
  await open({ idempotencyKey: 'a-key' })
  await expect(open({ claims: stolen, idempotencyKey: 'stolen' })).rejects.toMatchObject(refused)
  await fixture.read(sql`UPDATE sessions SET ended_at = 1 WHERE id = ${claims.sessionId}`)
  await expect(open()).rejects.toMatchObject(refused)
  expect(await fixture.read('SELECT count(*) AS n FROM order_keys')).toEqual([{ n: 1 }])
})

test('where tax is charged, a price needs a place, which the purchase keeps, and one in INR a place in India', async () => {
  const { fixture, open, count, moveTo } = await newShopper()
  const buy = (currency: 'INR' | 'USD') => open({ currency }, taxed(fixture.ctx()))
  await expect(buy('INR')).rejects.toMatchObject({ code: 'BILLING_REQUIRED' })
  await expect(buy('USD')).rejects.toMatchObject({ code: 'BILLING_REQUIRED' })
  const abroad = await moveTo('96')
  await expect(buy('INR')).rejects.toMatchObject({ code: 'CURRENCY_REFUSED' })
  expect(await count()).toBe(0)
  expect(await buy('USD')).toMatchObject({ currency: 'USD', billing: abroad })
  const billing = await moveTo('29')
  expect(await buy('USD')).toMatchObject({ currency: 'USD', billing })
  expect(await buy('INR')).toMatchObject({ currency: 'INR', billing })
  expect((await buy('INR')).id).toBe((await buy('INR')).id)
  const without = await newShopper(fixture)
  expect((await without.open()).id).toBe((await without.open()).id)
})

test('where tax is charged, a key whose purchase was ordered with other billing details is rejected', async () => {
  const { fixture, open, moveTo } = await newShopper()
  const buy = (idempotencyKey: string) => open({ idempotencyKey }, taxed(fixture.ctx()))
  await moveTo('29')
  const first = await buy('a-key')
  expect((await buy('a-key')).id).toBe(first.id)
  await moveTo('29', '29AAGCB7383J1Z4')
  await expect(buy('a-key')).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' })
  expect((await buy('another')).id).not.toBe(first.id)
})

test('the country of the connection suggests the place of a buyer abroad, and stays with the order as evidence', async () => {
  const { fixture, open, moveTo } = await newShopper()
  const buyFrom = (country: string) => {
    const ctx = taxed(fixture.ctx())
    return open({ currency: 'USD' }, { ...ctx, visitor: { ...ctx.visitor, country } })
  }
  const guess = (extra: object) => ({ code: 'BILLING_REQUIRED', detail: extra })
  await expect(buyFrom('DE')).rejects.toMatchObject(guess({ extra: { place: OUTSIDE_INDIA } }))
  await expect(buyFrom('IN')).rejects.toHaveProperty('detail', {})
  await moveTo(OUTSIDE_INDIA)
  expect(await buyFrom('DE')).toMatchObject({ country: 'DE' })
})
