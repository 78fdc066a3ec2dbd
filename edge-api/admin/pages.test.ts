import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { APPLICATION } from '#harness/application.ts'
import { mailsTo } from '#harness/stored.ts'
import { watchReads } from '#harness/scans.ts'
import { createAccount } from '#harness/fixture/account.ts'
import { ADMIN, adminOf } from '#harness/fixture/admin.ts'
import { emptyFixture } from '#harness/fixture/empty-fixture.ts'
import {
  createPurchase,
  disputeOf,
  paymentFor,
  refundOf,
  settledPack,
} from '#harness/fixture/purchase.ts'
import { use } from '#harness/fixture/refund.ts'
import { callOf, createFixture } from '#harness/fixture/fixture.ts'
import { TicketInput } from '../../src/contract/support.ts'
import { addressCorrections } from '../db/schema/admin.ts'
import { receipts } from '../db/schema/purchases.ts'
import { accountEvents, jobApplications, supportTickets } from '../db/schema/records.ts'
import { users } from '../db/schema/users.ts'
import { emailKeyOf } from '../domain/account/address.ts'
import { recordEvent } from '../domain/account/record-event.ts'
import type { Context } from '../domain/context.ts'
import { receiptNumber } from '../domain/format-money.ts'
import { factsOf } from '../domain/ports/payments.ts'
import { listPurchases } from '../domain/purchase/purchase-history.ts'
import { settle } from '../domain/purchase/settle.ts'
import { mailYesterday } from '../domain/report/mail-yesterday.ts'
import { days, hours } from '../domain/time.ts'
import { admin } from './admin.ts'
import { find } from './find.tsx'

/** What an admin sees at an address, as text without tags, as on a developer's machine. */
async function look(ctx: Context, path: string, timezone = 'UTC') {
  const localKey = new TextEncoder().encode('k'.repeat(32))
  const pages = { team: '', audience: '', host: '', localKey, assets: { fetch } }
  const env = { ctx, pages, requestId: 'req_1' }
  const ask = (request: Request) => admin.fetch(Object.assign(request, { cf: { timezone } }), env)
  const form = { method: 'POST', body: new URLSearchParams({ email: ADMIN }) }
  const signedIn = await ask(new Request('http://admin.test/__local/access', form))
  const cookie = signedIn.headers.get('Set-Cookie')?.split(';')[0] ?? ''
  const answer = await ask(new Request(`http://admin.test${path}`, { headers: { cookie } }))
  const html = await answer.text()
  const text = html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
  return { text, html, leadsTo: answer.headers.get('Location') }
}

const TICKET = { severity: 'low', isFeatureRequest: false, query: 'Help' } as const

test('each id, number, name and address finds its thing and its account, in one round trip by indexes', async () => {
  const fixture = createFixture()
  const ctx = fixture.ctx()
  const { userId, email } = await createAccount(ctx)
  const purchase = await createPurchase(ctx, userId)
  const payment = paymentFor(purchase)
  const refund = refundOf(payment, { amountMinor: 100 })
  await settle(ctx, purchase, factsOf({ payments: [payment], refunds: [refund] }))
  const own = { email: email.toUpperCase(), createdAt: ctx.now }
  // As many as one search shows, of somebody who wrote before.
  const earlier = Array.from({ length: 8 }, () => ({ ...TICKET, ...own, id: ctx.newId('tkt') }))
  const { db } = ctx
  const formerEmail = `former.${userId.toLowerCase()}@bücher.example`
  const emailKey = emailKeyOf(formerEmail)
  const former = { userId, email: formerEmail, emailKey, correctedAt: ctx.now }
  const inUnicode = `${userId}@bücher.example`
  const typed = TicketInput.parse({ email: inUnicode, query: 'Erase it' })
  const fromThere = { ...typed, id: ctx.newId('tkt'), createdAt: ctx.now }
  const [[user], [receipt], , [ticket], [application]] = await db.batch([
    db.select().from(users).where(eq(users.id, userId)),
    db.select().from(receipts).where(eq(receipts.purchaseId, purchase.id)),
    db.insert(supportTickets).values(earlier),
    db
      .insert(supportTickets)
      .values({ ...TICKET, ...own, id: ctx.newId('tkt') })
      .returning(),
    db
      .insert(jobApplications)
      .values({ ...APPLICATION, ...own, id: ctx.newId('app') })
      .returning(),
    db.insert(addressCorrections).values(former),
    db.insert(supportTickets).values(fromThere),
  ])
  const order = purchase.razorpayOrderId ?? ''
  const ticketName = `T-${ticket?.number}`
  const receiptName = receiptNumber(receipt ?? { series: '', number: 0 })
  const username = user?.username ?? ''
  const mail = `mail-receipt:${purchase.id}`
  const cases: [typed: string, what: string, name: string][] = [
    [purchase.id.slice(0, -2), 'purchase', purchase.id],
    [order.slice(0, -1), 'purchase', purchase.id],
    [payment.paymentId, 'payment', payment.paymentId],
    [refund.id, 'refund', refund.id],
    [receiptName, 'receipt', receiptName],
    [ticketName.toLowerCase(), 'ticket', ticketName],
    [`A-${application?.number}`, 'application', `A-${application?.number}`],
    [email.slice(0, -3), 'ticket', ticketName],
    [email.slice(2, -2), 'account', username],
    [username.slice(1).toUpperCase(), 'account', username],
    [userId, 'account', username],
    [formerEmail, 'account', formerEmail],
    [mail, 'mail', mail],
  ]
  const watched = await watchReads({ now: fixture.now() })
  for (const [typed, what, name] of cases) {
    const found = await find(watched.ctx, typed)
    expect(found, typed).toContainEqual(expect.objectContaining({ what, name, userId }))
  }
  expect(watched.ctx.db.roundTrips()).toBe(cases.length)
  expect(await find(watched.ctx, '%')).toEqual([])
  expect(await find(watched.ctx, "'; DROP TABLE users; --")).toEqual([])
  // A part of an address or a username is searched for in a whole index.
  const parts = ['email', 'username'].map((name) => ({
    text: expect.any(String),
    details: [`SCAN users USING COVERING INDEX users_${name}_key`],
  }))
  expect(await watched.scans()).toEqual(parts)
  expect((await look(ctx, `/admin/find?q=${ticketName}`)).leadsTo).toBe(
    `/admin/submissions/${ticketName}`,
  )
  expect(await find(ctx, payment.paymentId)).toMatchObject([{ tag: 'partly refunded' }])
  expect(await find(ctx, inUnicode)).toMatchObject([{ what: 'ticket', who: fromThere.email }])
  const page = `/admin/customers/${userId}`
  expect((await look(ctx, `/admin/find?q=${email.toUpperCase()}`)).leadsTo).toBe(page)
  fixture.advance(days(7))
  expect(await find(fixture.ctx(), formerEmail)).toEqual([])
})

test('Today has what needs a decision, the most urgent first, and money by day where the admin is, by indexes', async () => {
  const fixture = await emptyFixture({ now: Date.UTC(2027, 2, 3, 12) })
  const ctx = fixture.ctx()
  const { userId, email } = await createAccount(ctx)
  const respondBy = ctx.now + days(3)
  const pack = await createPurchase(ctx, userId)
  const paid = paymentFor(pack)
  const disputed = disputeOf(paid, { respondBy, amountMinor: 100, beganAt: ctx.now })
  const back = refundOf(paid, { amountMinor: 500, beganAt: ctx.now })
  const facts = factsOf({ payments: [paid], refunds: [back], disputes: [disputed] })
  await settle(ctx, pack, facts)
  await settledPack(ctx, userId, {}, (pack) => {
    const wrong = paymentFor(pack, { amountMinor: 2_400 })
    // Money that bought nothing was not a sale, so its refund is not the refund of a sale.
    const back = refundOf(wrong, { amountMinor: 300, beganAt: ctx.now })
    return { payments: [wrong], refunds: [back] }
  })
  const written = { ...TICKET, email: 'ada@example.test', createdAt: ctx.now }
  const high = { ...written, id: ctx.newId('tkt'), query: 'Second', severity: 'high' } as const
  const { db } = ctx
  await db.batch([
    db.insert(supportTickets).values([{ ...written, id: ctx.newId('tkt'), query: 'First' }, high]),
    recordEvent(ctx, { userId, kind: 'registered' }),
  ])
  fixture.advance(hours(1))
  const watched = await watchReads({ now: fixture.now() })
  const { text } = await look(watched.ctx, '/admin', 'Pacific/Auckland')
  expect(watched.ctx.db.roundTrips()).toBe(1)
  expect(await watched.scans()).toEqual([])
  expect(text).toContain('1 sold for USD 25.00, 1 refunded for USD 5.00; 1 sign-up, 0 trials')
  // Noon in UTC is the next day in New Zealand.
  expect(text).toContain('time zone Pacific/Auckland')
  expect(text).toContain('2027-03-04 1 sold for USD 25.00, 1 refunded for USD 5.00')
  expect((await look(fixture.ctx(), '/admin')).text).toContain('2027-03-03 1 sold for USD 25.00')
  expect(text).toMatch(/open dispute .* 3 days left .*Second .*First /)
  expect(text).toContain(`${email} mismatch · USD 24.00`)
  const submissions = await look(fixture.ctx(), '/admin/submissions')
  expect(submissions.text).toMatch(/Second.*First/)
  fixture.advance(days(2))
  expect((await look(fixture.ctx(), '/admin')).text).toContain('1 day left')
  fixture.advance(days(1))
  expect((await look(fixture.ctx(), '/admin')).text).toContain('deadline passed')
  const answered = { ...disputed, respondBy: null, asOf: fixture.now() + 1 }
  await settle(fixture.ctx(), pack, factsOf({ disputes: [answered] }))
  expect((await look(fixture.ctx(), '/admin')).text).toMatch(
    /Second.* open dispute [^·]* chargeback · USD 1\.00 Evidence/,
  )
})

test('the evidence has receipt, terms, sign-ins, use and mails of the buyer alone, from the day of the order, for printing', async () => {
  const fixture = createFixture()
  const [buyer, other] = [await createAccount(fixture.ctx()), await createAccount(fixture.ctx())]
  const { db, newId } = fixture.ctx()
  const signIns = Array.from({ length: 120 }, (_, day) => ({
    ...{ id: newId('evt'), userId: buyer.userId, kind: 'signed_in', ipPrefix: '192.0.2.0/24' },
    ...{ device: `Day ${day}`, createdAt: fixture.now() + days(day - 2) },
  }))
  const foreign = { userId: other.userId, kind: 'signed_in', device: 'Foreign' }
  await db.batch([
    db.insert(accountEvents).values(signIns),
    db.insert(accountEvents).values({ ...foreign, id: newId('evt'), createdAt: fixture.now() }),
    db.insert(supportTickets).values({
      ...{ ...TICKET, id: newId('tkt'), email: buyer.email, createdAt: fixture.now() },
    }),
  ])
  const sold = async () => {
    const purchase = await createPurchase(fixture.ctx(), buyer.userId)
    const paid = paymentFor(purchase)
    await settle(fixture.ctx(), purchase, factsOf({ payments: [paid] }))
    return { purchase, paid }
  }
  const { purchase, paid } = await sold()
  await use(fixture, buyer, 900_000)
  await adminOf(fixture).execute('adjust_tokens', { user: buyer.userId, tokens: '-60000' })
  fixture.advance(days(1))
  const later = await sold()
  await use(fixture, buyer, 300_000)
  const refund = refundOf(later.paid, { amountMinor: 100, beganAt: fixture.now() })
  await settle(fixture.ctx(), later.purchase, factsOf({ refunds: [refund] }))
  const [beganAt, respondBy] = [fixture.now(), fixture.now() + days(3)]
  const dispute = disputeOf(paid, { beganAt, respondBy })
  await settle(fixture.ctx(), purchase, factsOf({ disputes: [dispute] }))

  const place = `/admin/customers/${buyer.userId}?purchase=${purchase.id}`
  expect((await look(fixture.ctx(), `/admin/disputes/${dispute.id}`)).leadsTo).toBe(place)
  const watched = await watchReads({ now: fixture.now() })
  const { text, html } = await look(watched.ctx, place)
  expect(watched.ctx.db.roundTrips()).toBe(1)
  expect(await watched.scans()).toEqual([])
  expect(text).toContain(
    'Tokens of it used at least 940,000 of 1,000,000; support removed 60,000 from the account',
  )
  expect(text).toMatch(/Receipt R-\d{6}, .* UTC, to .*@/)
  expect(text).toMatch(/Terms accepted version \S+, /)
  expect(text).toContain('signed in · Day 2 · 192.0.2.0/24')
  expect(text).toMatch(/900,000 tokens used in \d{4}-\d\d-\d\d /)
  expect(text).toMatch(/dashboard before \d{4}-\d\d-\d\d \d\d:\d\d UTC\./)
  expect(text.match(/receipt to \S+: waiting to be sent/g), 'of this purchase alone').toHaveLength(
    1,
  )
  const ofLater = place.replace(purchase.id, later.purchase.id)
  const isRefundMailed = /refund to \S+: waiting to be sent/
  expect(text, 'the refund was of the other purchase').not.toMatch(isRefundMailed)
  expect((await look(fixture.ctx(), ofLater)).text).toMatch(isRefundMailed)
  expect(text).toMatch(/dispute disp_\w+ USD 25.00 · open/)
  expect(text, 'the oldest first').toMatch(/Day 2 .*Day 3 /)
  for (const left of ['Day 1 ', 'Foreign', later.purchase.id, 'Help', 'admin ']) {
    expect(text.replace(ADMIN, '').split('Since the day')[1], left).not.toContain(left)
  }
  const buttons = html.match(/<a class="button[^>]*>/g) ?? []
  expect(buttons.every((tag) => tag.includes('no-print') || tag.includes('skip'))).toBe(true)
  const whole = await look(fixture.ctx(), `/admin/customers/${buyer.userId}`)
  expect(whole.text).toMatch(/Day 119 .*ticket T-\d+ .*Help/)
  expect(whole.text, 'by month').toMatch(/1,200,000 tokens used in \d{4}-\d\d /)
  expect(whole.html, 'there is no plan to extend').not.toContain('actions/extend_plan')
  const answered = { ...dispute, respondBy: null, asOf: fixture.now() + 1 }
  await settle(fixture.ctx(), purchase, factsOf({ disputes: [answered] }))
  expect((await look(fixture.ctx(), place)).text).toContain(
    'disputing this payment: do not refund it meanwhile. There is no deadline.',
  )
  const lost = { ...dispute, state: 'lost', asOf: fixture.now() + 2 } as const
  await settle(fixture.ctx(), purchase, factsOf({ disputes: [lost] }))
  expect((await look(fixture.ctx(), place)).text).toContain('USD 25.00 returned by the bank')
})

test('the owner gets one mail a day: figures of the day before, and what is most urgent without a name', async () => {
  const fixture = await emptyFixture({ now: Date.UTC(2020, 6, 7, 12) })
  const ctx = fixture.ctx()
  const { userId } = await createAccount(ctx)
  await settledPack(ctx, userId, {}, (pack) => {
    const paid = paymentFor(pack)
    const until = { beganAt: ctx.now, respondBy: ctx.now + days(2) }
    return { payments: [paid], disputes: [disputeOf(paid, { amountMinor: 100, ...until })] }
  })
  // Older and overdue, and less urgent.
  const old = { ...TICKET, email: 'ada@example.test', createdAt: ctx.now - days(9) }
  const tickets = Array.from({ length: 10 }, () => ({ ...old, id: ctx.newId('tkt') }))
  await ctx.db.batch([ctx.db.insert(supportTickets).values(tickets)])
  fixture.advance(hours(15) + 1)
  await mailYesterday(fixture.ctx())
  await mailYesterday(fixture.ctx())
  const { operatorEmail, productName } = ctx.brand
  const sent = (await mailsTo(operatorEmail)).filter(({ id }) => id.startsWith('mail-day:'))
  expect(sent).toMatchObject([
    { id: 'mail-day:2020-07-07', subject: `${productName} on 2020-07-07` },
  ])
  const text = sent[0]?.text ?? ''
  expect(text).toContain('USD: 1 sold for USD 25.00, USD 0.00 refunded')
  expect(text).toContain(
    'open dispute: since 7 July 2020, 12:00 UTC, answer by 9 July 2020, 12:00 UTC',
  )
  expect(text).not.toMatch(/disp_|@example\.test/)
})

test('the buyer, the page of the account and Find agree that the bank returned what bought tokens, and we what came twice', async () => {
  const fixture = createFixture()
  const claims = await createAccount(fixture.ctx())
  const pack = await createPurchase(fixture.ctx(), claims.userId)
  const [paid, twice] = [paymentFor(pack), paymentFor(pack)]
  const lost = disputeOf(paid, { state: 'lost' })
  const back = refundOf(twice)
  // The first to arrive brings the tokens.
  await settle(fixture.ctx(), pack, factsOf({ payments: [paid] }))
  const after = { payments: [twice], refunds: [back], disputes: [lost] }
  await settle(fixture.ctx(), pack, factsOf(after))
  const query = { cursor: undefined, limit: 1 }
  expect(
    (await listPurchases(fixture.ctx(), { ...callOf(claims), query })).purchases,
  ).toMatchObject([{ state: 'charged_back', amountRefunded: 0 }])
  const { text } = await look(fixture.ctx(), `/admin/customers/${claims.userId}`)
  expect(text).toContain('USD 25.00 returned by the bank')
  expect(text).toMatch(/refund rfnd_\w+ USD 25.00 · completed/)
  const tags = [pack.id, paid.paymentId, twice.paymentId, lost.id, back.id].map(async (id) => {
    const [found] = await find(fixture.ctx(), id)
    return found?.tag
  })
  expect(await Promise.all(tags)).toEqual([
    'returned by the bank',
    'returned by the bank',
    'refunded',
    'lost',
    'completed',
  ])
})

test.each([
  ['with it', false],
  ['before it', true],
])(
  'a lost dispute counts once, on the day it was lost, when its refund is reported %s',
  async (_, isFirst) => {
    const fixture = await emptyFixture({ now: Date.UTC(2027, 2, 3, 12) })
    const { userId } = await createAccount(fixture.ctx())
    const pack = await createPurchase(fixture.ctx(), userId)
    const paid = paymentFor(pack)
    const beganAt = fixture.now()
    const dispute = disputeOf(paid, { amountMinor: 1_000, beganAt })
    const part = refundOf(paid, { amountMinor: 300, beganAt })
    const facts = { payments: [paid], refunds: [part], disputes: [dispute] }
    await settle(fixture.ctx(), pack, factsOf(facts))
    fixture.advance(days(2))
    const lost = { ...dispute, state: 'lost' } as const
    const back = () => refundOf(paid, { amountMinor: 1_000, beganAt: fixture.now() })
    // The other was refunded by hand.
    const refunds = [back(), back()]
    // Both then have a credit note.
    if (isFirst) await settle(fixture.ctx(), pack, factsOf({ refunds }))
    await settle(fixture.ctx(), pack, factsOf({ refunds, disputes: [lost] }))
    const { text } = await look(fixture.ctx(), '/admin')
    expect(text).toContain('2027-03-03 1 sold for USD 25.00, 1 refunded for USD 3.00 ')
    expect(text).toContain(
      '2027-03-05 0 sold for USD 0.00, 1 refunded for USD 10.00, 1 lost to a bank for USD 10.00',
    )
  },
)

test('a refund that a dispute holds waits for nobody until the dispute is over', async () => {
  const fixture = await emptyFixture({ now: Date.UTC(2027, 2, 3, 12) })
  const { userId } = await createAccount(fixture.ctx())
  const pack = await createPurchase(fixture.ctx(), userId)
  const wrong = paymentFor(pack, { amountMinor: 2_400 })
  const dispute = disputeOf(wrong)
  const facts = { payments: [wrong], disputes: [dispute] }
  await settle(fixture.ctx(), pack, factsOf(facts))
  fixture.advance(days(2))
  const isOwed = async () => (await look(fixture.ctx(), '/admin')).text.includes('owed refund')
  expect(await isOwed()).toBe(false)
  const won = { ...dispute, state: 'won' } as const
  await settle(fixture.ctx(), pack, factsOf({ disputes: [won] }))
  expect(await isOwed()).toBe(true)
})

test('a refund is offered while a bank only asks, and not while it disputes the payment', async () => {
  const fixture = createFixture()
  const { userId } = await createAccount(fixture.ctx())
  const pack = await createPurchase(fixture.ctx(), userId)
  const report = paymentFor(pack)
  const dispute = disputeOf(report, { phase: 'retrieval' })
  const isOffered = async (state: 'inquiry' | 'open', asOf: number) => {
    const facts = { payments: [report], disputes: [{ ...dispute, state, asOf }] }
    await settle(fixture.ctx(), pack, factsOf(facts))
    const { html } = await look(fixture.ctx(), `/admin/customers/${userId}`)
    return html.includes('Refund by the formula')
  }
  expect(await isOffered('inquiry', 1)).toBe(true)
  expect(await isOffered('open', 2)).toBe(false)
})

test('a page says what to do about a disputed payment of another amount: not to refund it while the bank decides', async () => {
  const fixture = createFixture()
  const { userId } = await createAccount(fixture.ctx())
  const pack = await createPurchase(fixture.ctx(), userId)
  const wrong = paymentFor(pack, { amountMinor: 2_400 })
  const dispute = disputeOf(wrong, { phase: 'retrieval', respondBy: fixture.now() })
  const tasks = async (state: 'inquiry' | 'open' | 'won', asOf: number) => {
    const report = { ...dispute, state, asOf }
    await settle(fixture.ctx(), pack, factsOf({ payments: [wrong], disputes: [report] }))
    const { html } = await look(fixture.ctx(), `/admin/customers/${userId}`)
    return html.match(/(?<=<p class="notice notice-error no-print">)[^.]*/g)
  }
  const refundIt = 'The money that arrived does not match the order, and bought nothing'
  expect(await tasks('inquiry', 1)).toEqual([
    'The bank asks about this payment and has taken nothing; a refund may settle it',
    refundIt,
  ])
  expect(await tasks('open', 2)).toEqual([
    'The bank is disputing this payment: do not refund it meanwhile',
  ])
  expect(await tasks('won', 3)).toEqual([refundIt])
})
