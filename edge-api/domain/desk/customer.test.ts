import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { APPLICATION } from '../../../tests/harness/application.ts'
import { atDesk, createOperatorAccount } from '../../../tests/harness/operator.ts'
import { watchReads } from '../../../tests/harness/scans.ts'
import { createAccount } from '../../../tests/harness/world/account.ts'
import {
  createPurchase,
  paymentFor,
  refundOf,
  settledPack,
} from '../../../tests/harness/world/purchase.ts'
import { createWorld, type World } from '../../../tests/harness/world/world.ts'
import { CUSTOMER_ROWS_MAX } from '../../../src/contract/desk.ts'
import { DESK_ACT } from '../../../src/contract/desk-acts.ts'
import { purchases } from '../../db/schema/purchases.ts'
import { accountEvents, jobApplications, mails, supportTickets } from '../../db/schema/records.ts'
import { usageDays } from '../../db/schema/tokens.ts'
import { users } from '../../db/schema/users.ts'
import { accountEventRow, recordEvent } from '../account/account-event.ts'
import { enqueueMail } from '../mail/outbox.ts'
import { factsOf, type RefundOrDispute } from '../ports/payments.ts'
import type { Purchase } from '../purchase/find-purchase.ts'
import { settle } from '../purchase/settle.ts'
import { minutes } from '../time.ts'
import { act } from './act.ts'
import { showCustomer } from './customer.ts'

/** Settles facts about a purchase a minute later, and says for whom; returns when. */
const settlerOf =
  (world: World, purchase: Purchase) =>
  async (cause: string, facts: Parameters<typeof factsOf>[0]) => {
    world.advance(minutes(1))
    const ctx = world.ctx()
    await settle(ctx, purchase, factsOf(facts), { cause })
    return world.now()
  }

test('a customer has one timeline, in which each step of the money has its cause', async () => {
  const world = createWorld()
  const operator = await createOperatorAccount(world.ctx())
  const { userId } = await createAccount(world.ctx())
  const purchase = await createPurchase(world.ctx(), userId)
  const payment = paymentFor(purchase)
  const settled = settlerOf(world, purchase)
  const paidAt = await settled('webhook evt_1', { payments: [payment] })
  await settled('reconcile', { payments: [payment] })
  const refund = refundOf(payment, { amountMinor: 1_000, beganAt: world.now() + minutes(1) })
  await settled('audit', { payments: [payment], refundsAndDisputes: [refund] })

  const desk = await watchReads({ now: world.now() })
  const shown = await showCustomer(desk.ctx, { ...atDesk(operator), params: { userId } })
  const { customer, timeline } = shown
  expect(desk.ctx.db.trips()).toBe(1)
  expect(customer).toMatchObject({ id: userId, tokens: { used: 0 } })
  expect(customer.subscription).toEqual({ status: 'inactive', plan: null, currentPeriodEnd: null })
  expect(customer.purchases).toMatchObject([{ id: purchase.id, status: 'paid', leftMinor: 1_500 }])

  const told = timeline.map(({ about, text, cause }) => [about, text, cause])
  expect(told).toContainEqual(['tokens', 'grant of 1,000,000 tokens', 'webhook evt_1'])
  expect(told).toContainEqual(['tokens', 'reversal of 400,000 tokens', 'audit'])
  expect(told).toContainEqual(['refund', `refund ${refund.id} final, USD 10.00`, 'audit'])
  expect(
    told.filter(([, , cause]) => cause === 'reconcile'),
    'it brought nothing new',
  ).toEqual([])
  const receipt = timeline.find(({ text }) => text.startsWith('receipt R-'))
  expect(receipt).toMatchObject({ at: new Date(paidAt).toISOString(), cause: 'webhook evt_1' })
  // Everything belongs to the purchase except the creation of the account.
  const ofAccount = timeline.filter(({ purchaseId }) => purchaseId !== purchase.id)
  expect(ofAccount.map(({ text }) => text)).toEqual(['registered'])
  expect(new Set(timeline.map(({ about }) => about))).toContain('mail')
  const times = timeline.map(({ at }) => at)
  expect(times).toEqual(times.toSorted().toReversed())

  expect(await desk.scans()).toEqual([])
})

test('a mail that failed stands out, and nothing of another account shows', async () => {
  const world = createWorld()
  const ctx = world.ctx()
  const operator = await createOperatorAccount(ctx)
  const { userId } = await createAccount(ctx)
  const stranger = await createAccount(ctx)
  await createPurchase(ctx, stranger.userId)
  const mail = { kind: 'ticket_received', payload: { number: 7 }, to: 'a@b.test', userId } as const
  await ctx.db.batch([
    enqueueMail(ctx, { ...mail, id: ctx.newId('mail') }),
    ctx.db.run(
      sql`UPDATE mails SET attempts = 3, last_error = 'E_BOX_FULL' WHERE user_id = ${userId}`,
    ),
    ctx.db.update(users).set({ firstName: '<b>Ada</b>' }).where(eq(users.id, userId)),
  ])
  const { customer, timeline } = await showCustomer(ctx, {
    ...atDesk(operator),
    params: { userId },
  })
  expect(customer).toMatchObject({ name: '<b>Ada</b>', purchases: [] })
  expect(timeline.map(({ text, isTrouble }) => [text, isTrouble])).toEqual([
    ['ticket received to a@b.test: waits after 3 tries: E_BOX_FULL', true],
    ['registered', false],
  ])
  const unknown = { ...atDesk(operator), params: { userId: ctx.newId('usr') } }
  await expect(showCustomer(ctx, unknown)).rejects.toThrow('There is no such account')
})

test('a payment keeps the time and the way it came, whatever is reported later', async () => {
  const world = createWorld()
  const operator = await createOperatorAccount(world.ctx())
  const { userId } = await createAccount(world.ctx())
  const purchase = await createPurchase(world.ctx(), userId)
  const payment = paymentFor(purchase, { status: 'authorized' })
  const settled = settlerOf(world, purchase)
  const shown = async () => {
    const page = await showCustomer(world.ctx(), { ...atDesk(operator), params: { userId } })
    const lines = page.timeline.filter(({ about }) => about === 'payment').toReversed()
    return { ...page, lines: lines.map(({ text, cause }) => [text, cause]) }
  }
  const { paymentId } = payment
  await settled('checkout', { payments: [payment] })
  expect((await shown()).lines).toEqual([[`${paymentId} authorized, USD 25.00`, 'checkout']])
  const captured = { ...payment, status: 'captured' } as const
  await settled('webhook evt_1', { payments: [captured] })
  const came = [
    [`${paymentId} started`, 'checkout'],
    [`${paymentId} captured, USD 25.00`, 'webhook evt_1'],
  ]
  expect((await shown()).lines).toEqual(came)
  await settled('operator ada', {
    payments: [
      { ...captured, amountRefundedMinor: 500, baseAmountMinor: 2_500, baseCurrency: 'USD' },
    ],
  })
  expect((await shown()).lines).toEqual([
    ...came,
    [`${paymentId} has USD 5.00 refunded in all`, 'operator ada'],
  ])
  const refund = refundOf(payment, { amountMinor: 2_500, beganAt: world.now() })
  await settled('webhook evt_2', {
    payments: [{ ...captured, amountRefundedMinor: 2_500 }],
    refundsAndDisputes: [refund],
  })
  expect((await shown()).lines, 'the refund has a line of its own').toEqual(came)
})

test.each([
  ['96', 'USD', false, 'by an Indian card, but the buyer said Outside India'],
  ['29', 'INR', true, 'by a card from abroad, but the buyer said Karnataka'],
  ['96', 'USD', true, null],
  ['29', 'INR', false, null],
  ['29', 'INR', null, null],
  ['29', 'USD', true, null],
] as const)(
  'of a buyer in %s, a payment in %s by a card (international: %s) says: %s',
  async (place, currency, isInternational, doubt) => {
    const world = createWorld()
    const operator = await createOperatorAccount(world.ctx())
    const { userId } = await createAccount(world.ctx())
    const billing = JSON.stringify({ place, name: '', address: '', gstin: '' })
    const sold = { billing, currency, country: 'DE' }
    const purchase = await createPurchase(world.ctx(), userId, sold)
    const payment = paymentFor(purchase, { isInternational })
    await settle(world.ctx(), purchase, factsOf({ payments: [payment] }))
    const call = { ...atDesk(operator), params: { userId } }
    const { timeline } = await showCustomer(world.ctx(), call)
    const line = timeline.find(({ about }) => about === 'payment')
    const text = [`${payment.paymentId} captured`, `${currency} 25.00`, doubt].filter(Boolean)
    expect(line).toMatchObject({ text: text.join(', '), isTrouble: doubt !== null })
    const order = timeline.find(({ text }) => text.includes(' by checkout from DE '))
    expect(order).toMatchObject({ about: 'purchase' })
  },
)

test('a purchase says what can and what has to be done with it', async () => {
  const world = createWorld()
  const operator = await createOperatorAccount(world.ctx())
  const { userId } = await createAccount(world.ctx())
  const settled = (facts: Parameters<typeof settledPack>[3]) => {
    world.advance(minutes(1))
    return settledPack(world.ctx(), userId, {}, facts)
  }
  const taking = (id: string, facts: Partial<RefundOrDispute>) =>
    settled((purchase) => {
      const payment = paymentFor(purchase)
      return { payments: [payment], refundsAndDisputes: [refundOf(payment, { id, ...facts })] }
    })
  const disputeId = `disp_${userId.slice(4)}`
  await settled((purchase) => ({ payments: [paymentFor(purchase)] }))
  await taking(`rfnd_${userId.slice(4)}`, {})
  await taking(disputeId, { kind: 'dispute', state: 'open' })
  const lostId = `disp_${userId.slice(4)}_lost`
  await taking(lostId, { kind: 'dispute', amountMinor: 500 })
  await settled((purchase) => ({ payments: [paymentFor(purchase, { amountMinor: 2_400 })] }))
  await settled(() => ({}))
  const page = () => showCustomer(world.ctx(), { ...atDesk(operator), params: { userId } })
  const { customer, timeline } = await page()
  const told = customer.purchases.map(({ status, noRefund, toDo, disputeId: dispute }) => ({
    status,
    noRefund,
    toDo,
    dispute,
  }))
  const { notPaid, mismatch, disputed, answerDispute, refunded, deleted } = DESK_ACT
  expect(told.toReversed()).toEqual([
    // Without money it comes after those with it.
    { status: 'open', noRefund: notPaid, toDo: null, dispute: null },
    { status: 'paid', noRefund: null, toDo: null, dispute: null },
    { status: 'refunded', noRefund: refunded, toDo: null, dispute: null },
    { status: 'disputed', noRefund: disputed, toDo: answerDispute, dispute: disputeId },
    { status: 'paid', noRefund: null, toDo: null, dispute: lostId },
    { status: 'review', noRefund: notPaid, toDo: mismatch, dispute: null },
  ])
  const disputes = timeline.filter((line) => line.about === 'dispute')
  expect(disputes.map(({ text, isTrouble, disputeId: id }) => ({ text, isTrouble, id }))).toEqual([
    { text: `dispute ${lostId} lost, USD 5.00`, isTrouble: false, id: lostId },
    { text: `dispute ${lostId} opened`, isTrouble: false, id: lostId },
    { text: `dispute ${disputeId} open, USD 25.00`, isTrouble: true, id: disputeId },
  ])
  expect(timeline.find(({ text }) => text.includes('owed back (mismatch)'))?.text).toContain(
    "not refunded yet: refund it in Razorpay's dashboard",
  )
  await world
    .ctx()
    .db.batch([
      world.ctx().db.update(users).set({ deletedAt: world.now() }).where(eq(users.id, userId)),
    ])
  expect((await page()).customer.purchases.at(-2)?.noRefund).toBe(deleted)
})

test('a mail is red only while somebody has to look: not while it is sent, nor once it was sent again', async () => {
  const world = createWorld()
  const ctx = world.ctx()
  const operator = await createOperatorAccount(ctx)
  const { userId } = await createAccount(ctx)
  const id = ctx.newId('mail')
  await ctx.db.batch([
    enqueueMail(ctx, { id, kind: 'account_suspended', payload: {}, to: 'a@b.test', userId }),
  ])
  const line = async () => {
    const page = await showCustomer(ctx, { ...atDesk(operator), params: { userId } })
    return page.timeline
      .filter(({ mailId }) => mailId === id)
      .map(({ text, isTrouble }) => [text.split(': ')[1], isTrouble])[0]
  }
  const set = (values: Partial<typeof mails.$inferInsert>) =>
    ctx.db.batch([ctx.db.update(mails).set(values).where(eq(mails.id, id))])
  expect(await line()).toEqual(['waiting to be sent', false])
  await set({ attempts: 1, claimedUntil: ctx.now })
  expect(await line()).toEqual(['is being sent', false])
  await set({ lastError: 'E_BOX_FULL', claimedUntil: null })
  expect(await line()).toEqual(['waits after 1 try', true])
  await set({ failedAt: ctx.now, dueAt: null })
  expect(await line()).toEqual(['given up after 1 try', true])
  await act(ctx, {
    ...atDesk(operator),
    body: { act: { kind: 'resend_mail', userId, mailId: id }, reason: 'T-10', isPreview: false },
  })
  const page = await showCustomer(ctx, { ...atDesk(operator), params: { userId } })
  expect(page.timeline.find(({ mailId }) => mailId === id)).toMatchObject({ isTrouble: false })
  const resent = page.timeline.find(({ text }) => text.startsWith('resend mail: T-10 · The email '))
  expect(resent?.text).toContain('to another address than the account’s is sent again.')
  expect(resent?.cause).toMatch(/^operator (?!usr_)/)
})

test('of somebody who wrote more often than the page shows, it shows the latest', async () => {
  const world = createWorld()
  const ctx = world.ctx()
  const operator = await createOperatorAccount(ctx)
  const { userId, email } = await createAccount(ctx)
  const own = { email, createdAt: ctx.now }
  const ticket = { severity: 'low', isFeatureRequest: false, query: 'Help', ...own } as const
  const times = Array.from({ length: CUSTOMER_ROWS_MAX + 1 })
  const { tickets, applications } = await ctx.db.batch({
    tickets: ctx.db
      .insert(supportTickets)
      .values(times.map(() => ({ id: ctx.newId('tkt'), ...ticket })))
      .returning(),
    applications: ctx.db
      .insert(jobApplications)
      .values(times.map(() => ({ id: ctx.newId('app'), ...APPLICATION, ...own })))
      .returning(),
  })
  const { timeline } = await showCustomer(ctx, { ...atDesk(operator), params: { userId } })
  const shown = timeline.map(({ text }) => text.split(' ')[0])
  for (const [letter, rows] of Object.entries({ T: tickets, A: applications })) {
    const numbers = rows.map(({ number }) => number)
    expect(shown).toContain(`${letter}-${Math.max(...numbers)}`)
    expect(shown).not.toContain(`${letter}-${Math.min(...numbers)}`)
  }
})

test('neither wrong passwords of a stranger nor unpaid orders push the rest off the page, and a day of use is named', async () => {
  const world = createWorld()
  const ctx = world.ctx()
  const operator = await createOperatorAccount(ctx)
  const { userId } = await createAccount(ctx)
  const paid = await settledPack(ctx, userId)
  world.advance(1)
  const later = world.ctx()
  const { db } = later
  const times = Array.from({ length: CUSTOMER_ROWS_MAX }, (_, index) => index)
  await db.batch([
    recordEvent(ctx, { userId, kind: 'not_me' }),
    db
      .insert(accountEvents)
      .values(times.map(() => accountEventRow(later, { userId, kind: 'sign_in_failed' }))),
    db.insert(purchases).values(
      times.map((index) => ({
        ...paid,
        id: later.newId('pur'),
        status: 'expired' as const,
        razorpayOrderId: `order_${userId}${index}`,
        paidAt: null,
        nextCheckAt: null,
        createdAt: later.now,
      })),
    ),
    db.insert(usageDays).values({
      userId,
      paymentMode: ctx.paymentMode,
      day: Date.UTC(2026, 10, 26),
      mode: '',
      tokens: 5,
    }),
  ])
  const shown = await showCustomer(later, { ...atDesk(operator), params: { userId } })
  const told = shown.timeline.map(({ text }) => text)
  expect(told).toContainEqual(expect.stringMatching(/^not me\b/))
  expect(told.filter((text) => text.startsWith('sign in failed'))).toHaveLength(25)
  expect(shown.customer.purchases[0]).toMatchObject({ id: paid.id, status: 'paid' })
  expect(told).toContain('5 tokens used on 2026-11-26 (UTC)')
})
