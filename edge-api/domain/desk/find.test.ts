import { APPLICATION } from '../../../tests/harness/application.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { atDesk, createOperatorAccount } from '../../../tests/harness/operator.ts'
import { watchReads } from '../../../tests/harness/scans.ts'
import { createAccount } from '../../../tests/harness/world/account.ts'
import { paymentFor, createPurchase, refundOf } from '../../../tests/harness/world/purchase.ts'
import { createWorld } from '../../../tests/harness/world/world.ts'
import type { Found } from '../../../src/contract/desk.ts'
import { receipts } from '../../db/schema/purchases.ts'
import { addressCorrections } from '../../db/schema/desk.ts'
import { jobApplications, supportTickets } from '../../db/schema/records.ts'
import { users } from '../../db/schema/users.ts'
import { receiptNumber } from '../format-money.ts'
import { factsOf } from '../ports/payments.ts'
import { settle } from '../purchase/settle.ts'
import { days } from '../time.ts'
import { find } from './find.ts'

test('each id, number and address finds its entry and its owner, in one round trip by indexes', async () => {
  const world = createWorld()
  const ctx = world.ctx()
  const operator = await createOperatorAccount(ctx)
  const { userId } = await createAccount(ctx)
  const purchase = await createPurchase(ctx, userId)
  const payment = paymentFor(purchase)
  const refund = refundOf(payment, { amountMinor: 100 })
  await settle(ctx, purchase, factsOf({ payments: [payment], refundsAndDisputes: [refund] }))
  const { account, receipt } = await ctx.db.batch({
    account: ctx.db.select().from(users).where(eq(users.id, userId)),
    receipt: ctx.db.select().from(receipts).where(eq(receipts.purchaseId, purchase.id)),
  })
  const { email = '', username = '' } = account[0] ?? {}
  const own = { email: email.toUpperCase(), createdAt: ctx.now }
  // As many as one search shows, of somebody who wrote before.
  const earlier = Array.from({ length: 8 }, () => {
    return { id: ctx.newId('tkt'), severity: 'low', isFeatureRequest: false, query: 'Hi' } as const
  })
  const { ticket, application } = await ctx.db.batch({
    earlier: ctx.db.insert(supportTickets).values(earlier.map((row) => ({ ...row, ...own }))),
    ticket: ctx.db
      .insert(supportTickets)
      .values({
        id: ctx.newId('tkt'),
        severity: 'low',
        isFeatureRequest: false,
        query: 'Help',
        ...own,
      })
      .returning(),
    application: ctx.db
      .insert(jobApplications)
      .values({ id: ctx.newId('app'), ...APPLICATION, ...own })
      .returning(),
  })

  const desk = await watchReads({ now: world.now() })
  const look = async (q: string) =>
    (await find(desk.ctx, { ...atDesk(operator), query: { q } })).found

  const order = purchase.razorpayOrderId ?? ''
  const ticketName = `T-${ticket[0]?.number}`
  const receiptName = receiptNumber(receipt[0] ?? { series: '', number: 0 })
  const cases: [string, Found['kind'], string][] = [
    [purchase.id.slice(0, -2), 'purchase', purchase.id],
    [order.slice(0, -1), 'purchase', purchase.id],
    [payment.paymentId, 'payment', payment.paymentId],
    [refund.id, 'refund', refund.id],
    [receiptName, 'receipt', receiptName],
    [ticketName, 'ticket', ticketName],
    [ticketName.toLowerCase(), 'ticket', ticketName],
    [`A-${application[0]?.number}`, 'application', `A-${application[0]?.number}`],
    [email.slice(0, -3), 'ticket', ticketName],
    [email, 'ticket', ticketName],
    [email.slice(2, -2), 'account', email],
    [username.slice(1).toUpperCase(), 'account', email],
    [`mail-receipt:${purchase.id}`, 'mail', `mail-receipt:${purchase.id}`],
  ]
  for (const [q, kind, name] of cases) {
    expect(await look(q), q).toContainEqual(expect.objectContaining({ kind, name, userId }))
  }
  expect(desk.ctx.db.trips()).toBe(cases.length)
  expect(await look('%')).toEqual([])
  expect(await look("'; DROP TABLE users; --")).toEqual([])
  expect(await desk.scans()).toEqual(
    // A part of an address or a username is searched for in a whole index.
    ['email', 'username'].map((name) => ({
      text: expect.any(String),
      details: [`SCAN users USING COVERING INDEX users_${name}_key`],
    })),
  )
})

test('the address before a correction finds its account, for as long as it can be taken back', async () => {
  const world = createWorld()
  const { userId } = await createAccount(world.ctx())
  const former = `former.${userId.toLowerCase()}@example.test`
  await world.ctx().db.batch([
    world.ctx().db.insert(addressCorrections).values({
      userId,
      email: former,
      emailKey: former,
      correctedAt: world.now(),
    }),
  ])
  const look = async () => {
    const operator = await createOperatorAccount(world.ctx())
    const { found } = await find(world.ctx(), {
      ...atDesk(operator),
      query: { q: former.slice(0, -4) },
    })
    return found
  }
  expect(await look()).toMatchObject([{ kind: 'account', name: former, userId }])
  expect((await look())[0]?.note).toContain('former address, now ')
  world.advance(days(7))
  expect(await look()).toEqual([])
})

test('money that went back is found as such', async () => {
  const world = createWorld()
  const operator = await createOperatorAccount(world.ctx())
  const { userId } = await createAccount(world.ctx())
  const noteOf = async (kind: 'dispute' | 'refund', amountMinor?: number) => {
    const purchase = await createPurchase(world.ctx(), userId)
    const payment = paymentFor(purchase)
    const back = refundOf(payment, { kind, state: kind === 'refund' ? 'final' : 'open' })
    const facts = { ...back, amountMinor: amountMinor ?? payment.amountMinor }
    await settle(
      world.ctx(),
      purchase,
      factsOf({ payments: [payment], refundsAndDisputes: [facts] }),
    )
    const notes = [payment.paymentId, purchase.id].map(async (q) => {
      const { found } = await find(world.ctx(), { ...atDesk(operator), query: { q } })
      return found[0]?.note
    })
    return Promise.all(notes)
  }
  expect(await noteOf('refund')).toEqual([
    'refunded · USD 25.00',
    'token pack · refunded · USD 25.00',
  ])
  expect((await noteOf('refund', 500))[0]).toBe('partly refunded · USD 25.00')
  expect(await noteOf('dispute')).toEqual([
    'disputed · USD 25.00',
    'token pack · disputed · USD 25.00',
  ])
})
