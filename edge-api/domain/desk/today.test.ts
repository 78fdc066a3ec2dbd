import { expect, test } from 'vitest'
import { atDesk, createOperatorAccount } from '../../../tests/harness/operator.ts'
import { watchReads } from '../../../tests/harness/scans.ts'
import { createAccount } from '../../../tests/harness/world/account.ts'
import { paymentFor, refundOf, settledPack } from '../../../tests/harness/world/purchase.ts'
import { emptyWorld } from '../../../tests/harness/world/empty-world.ts'
import { createWorld } from '../../../tests/harness/world/world.ts'
import { ALARMS_MAX } from '../../../src/contract/desk.ts'
import { alarms } from '../../db/schema/desk.ts'
import { submissionEntries } from '../../db/schema/inbox.ts'
import { supportTickets } from '../../db/schema/records.ts'
import { days } from '../time.ts'
import { showToday } from './today.ts'

test('open work is ranked by deadline and amount, and money is listed by day, in one round trip by indexes', async () => {
  // Long ago, so that no row of another test is as old.
  const past = createWorld({ now: Date.UTC(2021, 2, 3, 12) })
  const ctx = past.ctx()
  const { userId } = await createAccount(ctx)
  const settled = (facts: Parameters<typeof settledPack>[3]) => settledPack(ctx, userId, {}, facts)
  const payment: { id?: string } = {}
  await settled((purchase) => {
    const paid = paymentFor(purchase)
    const beganAt = past.now()
    const dispute = { kind: 'dispute', state: 'open', respondBy: past.now() + days(3) } as const
    return {
      payments: [paid],
      refundsAndDisputes: [
        refundOf(paid, { amountMinor: 500, beganAt }),
        refundOf(paid, { ...dispute, amountMinor: 100, beganAt, phase: 'chargeback' }),
      ],
    }
  })
  await settled((purchase) => {
    const wrong = paymentFor(purchase, { amountMinor: 2_400 })
    payment.id = wrong.paymentId
    // Money that bought nothing was not a sale, so its refund is not the refund of a sale.
    const back = refundOf(wrong, { amountMinor: 300, beganAt: past.now() })
    return { payments: [wrong], refundsAndDisputes: [back] }
  })

  await settled((purchase) => ({ payments: [paymentFor(purchase, { amountMinor: 600 })] }))

  const written = { email: 'ada@example.test', isFeatureRequest: false, createdAt: past.now() }
  await ctx.db.batch([
    ctx.db.insert(supportTickets).values([
      { ...written, id: ctx.newId('tkt'), query: 'One', severity: 'medium' },
      { ...written, id: ctx.newId('tkt'), query: 'Other', severity: 'high', state: 'waiting' },
    ]),
  ])

  // Asked four days before, answered the next day, and written to again today.
  const followUp = { ...written, id: ctx.newId('tkt'), email: 'bob@example.test' }
  const about = { submissionId: followUp.id, text: 'waiting', operatorId: 'ops:bob' }
  await ctx.db.batch([
    ctx.db.insert(supportTickets).values({
      ...followUp,
      query: 'Thanks, but',
      severity: 'low',
      state: 'waiting',
      createdAt: past.now() - days(4),
    }),
    ctx.db.insert(submissionEntries).values([
      { ...about, id: ctx.newId('ent'), kind: 'state', createdAt: past.now() },
      { ...about, id: ctx.newId('ent'), kind: 'note', createdAt: past.now() + days(1) },
    ]),
  ])

  const desk = await watchReads({ now: past.now() + days(1) })
  const operator = await createOperatorAccount({ ...ctx, now: desk.ctx.now })
  const { open, days: figures } = await showToday(desk.ctx, atDesk(operator))
  expect(desk.ctx.db.trips()).toBe(1)
  const tickets = open.filter(({ what, who }) => what === 'ticket' && who === written.email)
  expect(tickets.map(({ tag }) => tag)).toEqual(['high', 'medium'])
  expect(open.find(({ who }) => who === followUp.email)).toMatchObject({
    since: '2021-03-03T12:00:00.000Z',
    urgency: 'waits',
  })
  const own = open.filter((thing) => thing.userId === userId)
  expect(own.map(({ what, tag }) => [what, tag])).toEqual(
    expect.arrayContaining([
      ['open dispute', 'chargeback'],
      ['owed refund', 'mismatch'],
    ]),
  )
  expect(own.find(({ what }) => what === 'owed refund')?.name).toBe(payment.id)
  const urgency = (of: typeof own) => of.map((thing) => [thing.what, thing.urgency]).toSorted()
  expect(urgency(own)).toEqual(
    expect.arrayContaining([
      ['open dispute', 'waits'],
      ['owed refund', 'overdue'],
    ]),
  )
  expect(own.find(({ what }) => what === 'open dispute')?.until).toBe('2021-03-06T12:00:00.000Z')
  const late = createWorld({ now: past.now() + days(3) }).ctx()
  const again = await createOperatorAccount({ ...ctx, now: late.now })
  const laterOwn = (await showToday(late, atDesk(again))).open.filter(
    (thing) => thing.userId === userId,
  )
  expect(urgency(laterOwn)).toContainEqual(['open dispute', 'passed'])
  // A passed limit comes first; without limits, more money comes first.
  const money = laterOwn.filter(({ amountMinor }) => amountMinor !== null)
  expect(money.map(({ what, amountMinor, currency }) => [what, amountMinor, currency])).toEqual([
    ['open dispute', 100, 'USD'],
    ['owed refund', 2_400, 'USD'],
    ['owed refund', 600, 'USD'],
  ])
  expect(figures).toContainEqual({
    day: '2021-03-03',
    currency: 'USD',
    sales: 1,
    soldMinor: 2_500,
    refundedMinor: 500,
  })
  expect(await desk.scans()).toEqual([])
})

test('an alarm of a new kind is on the desk, however many single payments have one', async () => {
  const world = await emptyWorld()
  const { db, now, newId } = world.ctx()
  const alarm = { kind: 'owed money could not be sent back', fields: '{}', count: 1 }
  const ofPayments = Array.from({ length: ALARMS_MAX }, () => {
    return { ...alarm, id: newId('alm'), subject: newId('pay'), firstSeenAt: 1, lastSeenAt: 1 }
  })
  const kind = `dispute ${newId('alm')}`
  const last = { ...alarm, id: newId('alm'), kind, firstSeenAt: now, lastSeenAt: now }
  await db.batch([db.insert(alarms).values([...ofPayments, last])])
  const operator = await createOperatorAccount(world.ctx())
  const shown = (await showToday(world.ctx(), atDesk(operator))).alarms
  expect(shown.map((one) => one.kind)).toContain(kind)
})
