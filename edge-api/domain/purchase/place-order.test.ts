import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { MAIN_PLAN } from '../../../src/contract/catalogue.ts'
import { createAccount } from '#harness/fixture/account.ts'
import { emptyFixture, type EmptyFixture } from '#harness/fixture/empty-fixture.ts'
import { createPurchase, paymentFor, providerId } from '#harness/fixture/purchase.ts'
import { rowsOf } from '#harness/fixture/rows.ts'
import { callOf } from '#harness/fixture/fixture.ts'
import { purchases } from '../../db/schema/purchases.ts'
import {
  factsOf,
  GatewayRejected,
  GatewayUnavailable,
  type LinkRequest,
  type PaymentGateway,
} from '../ports/payments.ts'
import { deleteAccount } from '../data-rights/delete-account.ts'
import { days, hours, minutes } from '../time.ts'
import { createOrder } from './create-order.ts'
import { createPaymentLink } from './payment-link.ts'
import { type Purchase, requestedPlan, requirePurchase, saleNotes } from './purchase.ts'
import { settle } from './settle.ts'

const rejectedBy = (code: string) => expect.objectContaining({ name: 'ApiError', code })

/** A shopper, and a Razorpay that makes orders and links, each with its own id. */
async function openShopper(
  changes: Partial<PaymentGateway> = {},
  { given, ...account }: { given?: EmptyFixture; emailVerifiedAt?: number } = {},
) {
  const fixture = given ?? (await emptyFixture())
  const claims = await createAccount(fixture.ctx(), account)
  const orders: string[] = []
  const notes: unknown[] = []
  const links: LinkRequest[] = []
  const cancelled: string[] = []
  const gateway: Partial<PaymentGateway> = {
    createOrder: (request) => {
      const id = providerId('order')
      orders.push(id)
      notes.push(request.notes)
      return Promise.resolve(id)
    },
    createLink: (request) => {
      links.push(request)
      notes.push(request.notes)
      const { expiresAt } = request
      return Promise.resolve({ linkId: providerId('plink'), url: 'https://rzp.io/i/x', expiresAt })
    },
    cancelLink: (linkId) => Promise.resolve(void cancelled.push(linkId)),
    ...changes,
  }
  const ctx = () => fixture.ctxWith(gateway)
  const call = (preferredCurrency: 'USD' | 'INR') => ({
    ...callOf(claims),
    body: { planType: MAIN_PLAN.sku, preferredCurrency },
  })
  return {
    fixture,
    claims,
    ctx,
    orders,
    links,
    notes,
    cancelled,
    /** Asks for an order and for a link that cost this much. */
    askAt: (amount: number) =>
      [createOrder, createPaymentLink].map((ask) =>
        ask(ctx(), { ...callOf(claims), body: { ...call('USD').body, amount } }),
      ),
    order: (currency: 'USD' | 'INR' = 'USD', idempotencyKey: string | null = null) =>
      createOrder(ctx(), { ...call(currency), idempotencyKey }),
    link: async (idempotencyKey: string | null = null, description?: string) => {
      const { body, ...rest } = call('USD')
      const asked = { ...rest, body: { ...body, description }, idempotencyKey }
      return (await createPaymentLink(ctx(), asked)).paymentLink
    },
  }
}

/** Makes a function that two calls at once wait in for each other; later ones pass. */
function meetingOfTwo(): () => Promise<null> {
  const { promise, resolve } = Promise.withResolvers<null>()
  let here = 0
  return () => {
    here += 1
    if (here === 2) resolve(null)
    return promise
  }
}

const rowOf = async ({ ctx }: EmptyFixture, id: string) =>
  requirePurchase(await rowsOf(ctx().db, purchases, eq(purchases.id, id)))

async function payOrder(fixture: EmptyFixture, purchaseId: string): Promise<void> {
  const purchase = await rowOf(fixture, purchaseId)
  await settle(fixture.ctx(), purchase, factsOf({ payments: [paymentFor(purchase)] }))
}

async function payLink(fixture: EmptyFixture, purchaseId: string): Promise<void> {
  const purchase = await rowOf(fixture, purchaseId)
  const payment = paymentFor(purchase, { razorpayOrderId: providerId('order') })
  const { razorpayOrderId } = payment
  const linkOrders = [{ linkId: purchase.razorpayLinkId ?? '', razorpayOrderId }]
  await settle(fixture.ctx(), purchase, factsOf({ linkOrders, payments: [payment] }))
}

test('an order is made once for a purchase, and only one in INR can be paid by UPI', async () => {
  const { orders, order } = await openShopper()
  const first = await order()
  expect(await order()).toEqual(first)
  expect(orders).toEqual([first.order.id])
  expect(first).toMatchObject({ upiEnabled: false, order: { currency: 'USD' } })
  expect(await order('INR')).toMatchObject({ upiEnabled: true, order: { currency: 'INR' } })
})

test('the notes of an order and of a link say what was sold to whom, and neither is stored with another purchase', async () => {
  const { fixture, notes, order, link } = await openShopper()
  const { userId } = await createAccount(fixture.ctx())
  const other = await createPurchase(fixture.ctx(), userId, { razorpayOrderId: null })
  const { purchaseId } = await order()
  await link()
  const sold = saleNotes(await rowOf(fixture, purchaseId))
  expect(notes).toEqual([sold, sold])
  expect(await rowOf(fixture, other.id)).toEqual(other)
})

test('orders that are made at once, under one key, two or none, are one purchase and one order', async () => {
  const meet = meetingOfTwo()
  const { fixture, order } = await openShopper({
    createOrder: async () => {
      await meet()
      return providerId('order')
    },
  })
  const keys = ['a-key', 'a-key', 'another-key', null]
  const made = await Promise.all(keys.map((key) => order('USD', key)))
  const [{ purchaseId } = { purchaseId: '' }] = made
  expect(new Set(made.map(({ order: { id } }) => id)).size).toBe(1)
  expect(await fixture.read('SELECT id FROM purchases')).toEqual([{ id: purchaseId }])
  expect(await fixture.read('SELECT key, purchase_id AS id FROM order_keys ORDER BY key')).toEqual(
    ['a-key', 'another-key'].map((key) => ({ key, id: purchaseId })),
  )
  const more = await Promise.all(Array.from({ length: 45 }, (_, at) => order('USD', `key-${at}`)))
  expect(new Set(more.map((one) => one.purchaseId))).toEqual(new Set([purchaseId]))
})

test('of links that are made at once the one stored first counts, and the one of a purchase that is not stored is cancelled', async () => {
  const same = providerId('plink')
  for (const ids of [
    [providerId('plink'), providerId('plink')],
    // Razorpay knows one link for a purchase that is stored, and finds it for the second call.
    [same, same],
  ]) {
    const meet = meetingOfTwo()
    const left = [...ids]
    const { fixture, link, order, cancelled } = await openShopper({
      createLink: async ({ expiresAt }) => {
        await meet()
        return { linkId: left.shift() ?? '', url: 'https://rzp.io/i/x', expiresAt }
      },
    })
    if (ids[0] === same) await order()
    const [first, second] = await Promise.all([link(), link()])
    expect(second).toEqual(first)
    await fixture.drain()
    expect(cancelled).toEqual(ids.filter((id) => id !== first.id))
  }
})

test('an order or a link that is made while its purchase is paid is not handed out', async () => {
  let fixture = await emptyFixture()
  let purchaseId = ''
  const slow = {
    createOrder: async () => {
      await payLink(fixture, purchaseId)
      return providerId('order')
    },
    createLink: async ({ expiresAt }: LinkRequest) => {
      await payOrder(fixture, purchaseId)
      return { linkId: providerId('plink'), url: 'https://rzp.io/i/x', expiresAt }
    },
  }
  const over = rejectedBy('PLAN_ALREADY_ACTIVE')
  const one = await openShopper({ createOrder: slow.createOrder }, { given: fixture })
  ;({ purchaseId } = await one.link())
  await expect(one.order()).rejects.toEqual(over)
  fixture = await emptyFixture()
  const other = await openShopper({ createLink: slow.createLink }, { given: fixture })
  ;({ purchaseId } = await other.order())
  await expect(other.link()).rejects.toEqual(over)
})

test('a link whose storing failed because the session ended is the one that the next call hands out', async () => {
  const fixture = await emptyFixture()
  const linkId = providerId('plink')
  let endSession = true
  const shopper = await openShopper(
    {
      createLink: async ({ expiresAt }: LinkRequest) => {
        if (endSession) await fixture.read('UPDATE sessions SET ended_at = 1')
        return { linkId, url: 'https://rzp.io/i/x', expiresAt }
      },
    },
    { given: fixture },
  )
  await shopper.order()
  await expect(shopper.link()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
  endSession = false
  await fixture.read('UPDATE sessions SET ended_at = NULL')
  expect((await shopper.link()).id).toBe(linkId)
  await fixture.drain()
  expect(shopper.cancelled).toEqual([])
})

test('a key that another call stores meanwhile keeps its purchase', async () => {
  const fixture = await emptyFixture()
  let earlier = ''
  const shopper = await openShopper(
    {
      createOrder: async () => {
        await fixture.read(`INSERT INTO order_keys (user_id, key, purchase_id, created_at)
          SELECT user_id, 'a-key', id, 1 FROM purchases WHERE id = '${earlier}'`)
        earlier = ''
        return providerId('order')
      },
    },
    { given: fixture },
  )
  const { sku, tokens, accessDays, priceMinor } = MAIN_PLAN
  const stored = await createPurchase(fixture.ctx(), shopper.claims.userId, {
    ...{ sku, kind: 'plan', tokens, accessDays, amountMinor: priceMinor.USD, status: 'expired' },
  })
  earlier = stored.id
  expect((await shopper.order('USD', 'a-key')).purchaseId).toBe(stored.id)
})

test('a link is made once for a purchase, lasts a day and is not cancelled', async () => {
  const { fixture, links, link, cancelled } = await openShopper()
  const first = await link()
  expect(first.expiresAt).toBe(new Date(fixture.now() + hours(24)).toISOString())
  expect(await link()).toEqual(first)
  expect(links).toHaveLength(1)
  await fixture.drain()
  expect(cancelled).toEqual([])
})

test('a link that has ended is not handed out again, and none lasts longer than its order can be paid', async () => {
  const { fixture, links, link, order } = await openShopper()
  const first = await link('key-of-a-link')
  fixture.advance(hours(23))
  expect(await link('key-of-a-link')).toEqual(first)
  fixture.advance(hours(1))
  await expect(link('key-of-a-link')).rejects.toEqual(rejectedBy('IDEMPOTENCY_KEY_REUSED'))
  await order('USD', 'key-of-an-order')
  fixture.advance(hours(1))
  const endsAt = fixture.now() + days(7)
  await order('USD', 'key-of-a-later-order')
  fixture.advance(days(7) - hours(1) - minutes(15))
  await expect(link('key-of-an-order')).rejects.toEqual(rejectedBy('IDEMPOTENCY_KEY_REUSED'))
  const { expiresAt } = await link('key-of-a-later-order')
  expect(expiresAt).toBe(new Date(endsAt).toISOString())
  expect(links.map((request) => request.expiresAt)).toContain(endsAt)
  fixture.advance(minutes(15))
  await expect(order('USD', 'key-of-an-order')).rejects.toEqual(
    rejectedBy('IDEMPOTENCY_KEY_REUSED'),
  )
})

test('when Razorpay rejects or does not answer it is unavailable, nothing is stored, and only a rejection raises an alert', async () => {
  const failures = [
    new GatewayRejected('currency', 'Currency is not supported'),
    new GatewayUnavailable('no answer'),
    new TypeError('a fault of ours'),
  ]
  const { fixture, order } = await openShopper({
    createOrder: () => Promise.reject(failures.shift() ?? new Error('too many calls')),
  })
  const unavailable = rejectedBy('PAYMENT_PROVIDER_UNAVAILABLE')
  await expect(order()).rejects.toEqual(unavailable)
  await expect(order()).rejects.toEqual(unavailable)
  await expect(order()).rejects.toThrow('a fault of ours')
  expect(await fixture.read('SELECT id FROM purchases')).toEqual([])
  expect(fixture.alerts).toEqual([
    {
      event: 'the payment provider refused',
      fields: { reason: 'currency', text: 'Currency is not supported' },
    },
  ])
})

test('a plan is sold by its type, at the price that its buyer saw or did not name', async () => {
  const { orders, links, askAt } = await openShopper()
  const price = MAIN_PLAN.priceMinor.USD / 100
  for (const refused of [1, price - 0.01, price * 100, 0].flatMap(askAt)) {
    await expect(refused).rejects.toEqual(rejectedBy('AMOUNT_MISMATCH'))
  }
  expect([orders, links]).toEqual([[], []])
  const [made] = await Promise.all(askAt(price))
  expect(made).toMatchObject({ order: { amount: MAIN_PLAN.priceMinor.USD, currency: 'USD' } })
  expect(() => requestedPlan({ planType: 'gold', preferredCurrency: 'USD' })).toThrow(
    rejectedBy('INVALID_PLAN_TYPE'),
  )
})

test('a payment link names what is bought, and the words of a caller after it, marked as theirs and only of a verified address', async () => {
  const descriptionFor = async (account: { emailVerifiedAt?: number }) => {
    const { link, links } = await openShopper({}, account)
    await link(null, 'Customs fee')
    return links[0]?.description
  }
  const bought = await descriptionFor({})
  expect(bought).toContain(MAIN_PLAN.name)
  expect(bought).not.toContain('Customs')
  expect(await descriptionFor({ emailVerifiedAt: 1 })).toBe(`${bought} (buyer's note: Customs fee)`)
})

test('the links of a deleted account that can still be paid are cancelled, each although another fails, and no others', async () => {
  const cancelled: string[] = []
  const cancelLink = (id: string) => {
    cancelled.push(id)
    return Promise.reject(new GatewayUnavailable('no answer'))
  }
  const { fixture, claims, ctx } = await openShopper({ cancelLink })
  const other = await createAccount(fixture.ctx())
  const link = async (changes: Partial<Purchase> = {}, { userId } = claims) => {
    const own = { razorpayLinkId: providerId('plink'), linkExpiresAt: fixture.now() + 1 }
    return createPurchase(fixture.ctx(), userId, { ...own, ...changes })
  }
  const open = [
    await link(),
    await link({ status: 'attempted' }),
    await link({ status: 'expired' }),
  ]
  await link({ razorpayLinkId: null })
  await link({}, other)
  await link({ linkExpiresAt: fixture.now() })
  await link({ paymentMode: 'live' })
  const wrong = await link()
  const payments = [paymentFor(wrong, { amountMinor: 1 })]
  await settle(fixture.ctx(), wrong, factsOf({ payments }))
  await deleteAccount(ctx(), { ...callOf(claims), body: {} })
  await fixture.drain()
  const ids = open.map(({ razorpayLinkId }) => razorpayLinkId)
  expect(cancelled.toSorted()).toEqual(ids.toSorted())
})
