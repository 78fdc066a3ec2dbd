import { eq, sql } from 'drizzle-orm'
import { expect, inject, test } from 'vitest'
import { createOperatorAccount } from '../../../tests/harness/operator.ts'
import { startRecorder } from '../../../tests/harness/recorder.ts'
import { scansOf } from '../../../tests/harness/scans.ts'
import { createAccount } from '../../../tests/harness/world/account.ts'
import { createPurchase, paymentFor, refundOf } from '../../../tests/harness/world/purchase.ts'
import { callOf, createWorld } from '../../../tests/harness/world/world.ts'
import { users } from '../../db/schema/users.ts'
import { enqueueMail } from '../mail/outbox.ts'
import { factsOf } from '../ports/payments.ts'
import { recordCause } from '../purchase/record-cause.ts'
import { settle } from '../purchase/settle.ts'
import { minutes } from '../time.ts'
import { showCustomer } from './customer.ts'

test('a customer has one timeline, in which each step of the money has its cause', async () => {
  const world = createWorld()
  const operator = await createOperatorAccount(world.ctx())
  const { userId } = await createAccount(world.ctx())
  const purchase = await createPurchase(world.ctx(), userId)
  const payment = paymentFor(purchase)
  const settled = async (cause: string, facts: Parameters<typeof factsOf>[0]) => {
    world.advance(minutes(1))
    const ctx = world.ctx()
    await settle(ctx, purchase, factsOf(facts), [recordCause(ctx, purchase.id, cause)])
    return world.now()
  }
  const paidAt = await settled('webhook evt_1', { payments: [payment] })
  await settled('reconcile', { payments: [payment] })
  const refund = refundOf(payment, { amountMinor: 1_000, beganAt: world.now() + minutes(1) })
  await settled('audit', { payments: [payment], refundsAndDisputes: [refund] })

  const recorder = await startRecorder(inject('databaseUrl'))
  const desk = createWorld({ databaseUrl: recorder.url, now: world.now() }).ctx()
  const shown = await showCustomer(desk, { ...callOf(operator), params: { userId } })
  const { customer, timeline } = shown
  expect(desk.db.trips()).toBe(1)
  expect(customer).toMatchObject({ id: userId, tokens: { used: 0 } })
  expect(customer.purchases).toMatchObject([{ id: purchase.id, status: 'paid' }])

  const told = timeline.map(({ about, text, cause }) => [about, text, cause])
  expect(told).toContainEqual(['tokens', 'grant of 1,000,000 tokens', 'webhook evt_1'])
  expect(told).toContainEqual(['tokens', 'reversal of -400,000 tokens', 'audit'])
  expect(told).toContainEqual(['refund', `refund ${refund.id} final, USD 10.00`, 'audit'])
  expect(
    told.filter(([, , cause]) => cause === 'reconcile'),
    'it brought nothing new',
  ).toEqual([])
  const receipt = timeline.find(({ text }) => text.startsWith('receipt R-'))
  expect(receipt).toMatchObject({ at: new Date(paidAt).toISOString(), cause: 'webhook evt_1' })
  const times = timeline.map(({ at }) => at)
  expect(times).toEqual(times.toSorted().toReversed())

  const selects = recorder.statements().filter((text) => /^\s*select/i.test(text))
  expect(selects.length).toBeGreaterThan(10)
  expect(await scansOf(world.ctx().db, selects)).toEqual([])
  await recorder.stop()
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
    ...callOf(operator),
    params: { userId },
  })
  expect(customer).toMatchObject({ name: '<b>Ada</b>', purchases: [] })
  expect(timeline.map(({ text, isTrouble }) => [text, isTrouble])).toEqual([
    ['mail ticket received to a@b.test: waits after 3 tries: E_BOX_FULL', true],
    ['registered', false],
  ])
  const unknown = { ...callOf(operator), params: { userId: ctx.newId('usr') } }
  await expect(showCustomer(ctx, unknown)).rejects.toThrow('There is no such account')
})
