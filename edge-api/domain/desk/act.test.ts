import { mailsOf } from '../../../tests/harness/world/rows.ts'
import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { atDesk, createOperatorAccount } from '../../../tests/harness/operator.ts'
import { cheapHash, createAccount } from '../../../tests/harness/world/account.ts'
import {
  createPurchase,
  outcomeOf,
  paymentFor,
  refundOf,
} from '../../../tests/harness/world/purchase.ts'
import { callOf, createWorld, NO_INPUT } from '../../../tests/harness/world/world.ts'
import { AUTH } from '../../../src/contract/messages.ts'
import { type Act, DESK_ACT } from '../../../src/contract/desk-acts.ts'
import { alarms, deskActs } from '../../db/schema/desk.ts'
import { mails } from '../../db/schema/records.ts'
import { unavailableGateway } from '../../gateways/razorpay/razorpay-gateway.ts'
import { me } from '../account/update-profile.ts'
import { PendingAlarms, storeAlarms } from '../alarm/store-alarms.ts'
import { enqueueMail } from '../mail/outbox.ts'
import { factsOf, type PaymentFact, type RefundOrDispute } from '../ports/payments.ts'
import { settle } from '../purchase/settle.ts'
import { login } from '../session/login.ts'
import { hours } from '../time.ts'
import { act } from './act.ts'
import { planResendMail } from './acts/resend-mail.ts'
import { showCustomer } from './customer.ts'
import { newEntry } from './planned-act.ts'
import { showToday } from './today.ts'

/** A desk with one customer. `payments` and `refunds` are what the provider reports for any order or payment. */
async function newDesk(
  payments: readonly PaymentFact[] = [],
  refunds: readonly RefundOrDispute[] = [],
) {
  const gateway = {
    ...unavailableGateway,
    paymentsOfOrder: () => Promise.resolve([...payments]),
    refundsOfPayment: () => Promise.resolve([...refunds]),
  }
  const world = createWorld({ payments: gateway })
  const operator = await createOperatorAccount(world.ctx())
  const customer = await createAccount(world.ctx(), { passwordHash: cheapHash() })
  const send = (wanted: Act, isPreview: boolean) =>
    act(world.ctx(), { ...atDesk(operator), body: { act: wanted, reason: 'Ticket 7', isPreview } })
  const { db } = world.ctx()
  const entries = async () => {
    const [rows] = await db.batch([
      db.select().from(deskActs).where(eq(deskActs.userId, customer.userId)),
    ])
    return rows
  }
  return { world, db, operator, customer, email: customer.email, send, entries }
}

test('a preview changes nothing; a suspended account is shut out at once, told why, and let in again', async () => {
  const { world, operator, customer, email, send, entries } = await newDesk()
  const { userId } = customer
  const suspend: Act = { kind: 'suspend', userId }
  const { changes } = await send(suspend, true)
  expect(changes).toEqual([
    'Nobody can sign in to the account.',
    'One session ends.',
    'We email the customer about it, and about how to get a refund.',
  ])
  expect(await entries()).toEqual([])
  expect((await me(world.ctx(), callOf(customer))).user.email).toBe(email)

  await send(suspend, false)
  const body = { email, password: 'Quiet-Otter-42', rememberMe: false }
  await expect(me(world.ctx(), callOf(customer))).rejects.toThrow('Please sign in')
  await expect(login(world.ctx(), { ...NO_INPUT, body })).rejects.toThrow(AUTH.suspended)
  const wrong = { ...NO_INPUT, body: { ...body, password: 'Wrong-Otter-42' } }
  await expect(login(world.ctx(), wrong)).rejects.toThrow('Invalid email or password')
  await expect(send(suspend, false)).rejects.toThrow(DESK_ACT.isSuspended)

  await send({ kind: 'lift_suspension', userId }, false)
  expect((await login(world.ctx(), { ...NO_INPUT, body })).user.email).toBe(email)
  // `rejects` would drop the message below if the call succeeded.
  const before = await me(world.ctx(), callOf(customer)).then(() => 'is open', String)
  expect(before, "the customer's session of before the suspension").toContain('Please sign in')
  const written = await entries()
  expect(written.map(({ kind, operatorId, reason }) => [kind, operatorId, reason])).toEqual([
    ['suspend', operator.id, 'Ticket 7'],
    ['lift_suspension', operator.id, 'Ticket 7'],
  ])
  expect(JSON.stringify(written), 'it outlives the account').not.toContain(email)
  const call = { ...atDesk(operator), params: { userId } }
  const { timeline } = await showCustomer(world.ctx(), call)
  const told = timeline.map(({ text }) => text).join('\n')
  expect(told).toContain('suspend: Ticket 7 · Nobody can sign in to the account. One session ends.')
  expect(told).toContain('account suspended to')
})

test('the record of an act cannot be changed or deleted, and operators cannot be suspended', async () => {
  const { world, db, operator, customer, email, send, entries } = await newDesk()
  await send({ kind: 'end_sessions', userId: customer.userId }, false)
  await expect(send({ kind: 'end_sessions', userId: customer.userId }, false)).rejects.toThrow(
    DESK_ACT.noSessions,
  )
  expect(await entries()).toHaveLength(1)
  await expect(db.batch([db.update(deskActs).set({ reason: 'x' })])).rejects.toThrow()
  await expect(db.batch([db.delete(deskActs)])).rejects.toThrow()
  expect(await entries()).toMatchObject([{ reason: 'Ticket 7' }])
  const ctx = { ...world.ctx(), operators: [...world.ctx().operators, email] }
  const suspendOther = act(ctx, {
    ...atDesk(operator),
    body: {
      act: { kind: 'suspend', userId: customer.userId },
      reason: 'Ticket 7',
      isPreview: true,
    },
  })
  await expect(suspendOther).rejects.toThrow(DESK_ACT.isOperator)
})

test('nobody acts on their own account, with tokens or otherwise', async () => {
  const { operator, send } = await newDesk()
  const userId = operator.id
  const acts: Act[] = [
    { kind: 'adjust_tokens', userId, tokens: 100_000_000 },
    { kind: 'end_sessions', userId },
  ]
  for (const wanted of acts) await expect(send(wanted, true)).rejects.toThrow(DESK_ACT.ownAccount)
})

test('six calls at once suspend once and lift once, and each is recorded and mailed once', async () => {
  const { world, customer, send, entries } = await newDesk()
  const { userId } = customer
  const six = (wanted: Act) =>
    Promise.allSettled(Array.from({ length: 6 }, () => send(wanted, false)))
  await six({ kind: 'suspend', userId })
  await six({ kind: 'lift_suspension', userId })
  expect((await entries()).map(({ kind }) => kind)).toEqual(['suspend', 'lift_suspension'])
  const sent = await mailsOf(world.ctx(), userId)
  expect(sent.map(({ kind }) => kind).sort()).toEqual(['account_suspended', 'suspension_lifted'])
})

test('a mail is sent at once if it waits, and once more as a copy otherwise, but not when its link was wiped, and not of another account', async () => {
  const { world, db, customer, email, send, entries } = await newDesk()
  const ctx = world.ctx()
  const { userId } = customer
  const [given, wiped, foreign] = [ctx.newId('mail'), ctx.newId('mail'), ctx.newId('mail')]
  const waiting = ctx.newId('mail')
  const mail = { kind: 'suspension_lifted', payload: {}, to: email, userId } as const
  await db.batch([
    enqueueMail(ctx, { ...mail, id: given }),
    enqueueMail(ctx, { ...mail, id: wiped, kind: 'reset_password', payload: { secret: null } }),
    enqueueMail(ctx, { ...mail, id: foreign, userId: null }),
    enqueueMail(
      { ...ctx, now: ctx.now + hours(1) },
      { ...mail, id: waiting, kind: 'account_suspended' },
    ),
    db
      .update(mails)
      .set({ dueAt: null, failedAt: 1 })
      .where(sql`id IN (${given}, ${wiped})`),
  ])
  const resend = (mailId: string) => send({ kind: 'resend_mail', userId, mailId }, false)
  await expect(resend(wiped)).rejects.toThrow(DESK_ACT.isWiped)
  await expect(resend(foreign)).rejects.toThrow(DESK_ACT.noMail)
  await resend(waiting)
  const isWaiting = (await mailsOf(world.ctx(), userId)).filter(({ dueAt }) => dueAt !== null)
  expect(isWaiting).toMatchObject([{ id: waiting, dueAt: world.now() }])
  // One of six clicks counts, even when they come one after the other.
  await Promise.allSettled(Array.from({ length: 6 }, () => resend(given)))
  await world.drain()
  const rows = await mailsOf(world.ctx(), userId)
  const copies = rows.filter(({ id, kind }) => kind === 'suspension_lifted' && id !== given)
  expect(copies).toMatchObject([{ toAddress: email, payload: '{}' }])
  const written = await entries()
  expect(written).toHaveLength(2)
  expect(JSON.stringify(written)).not.toContain(email)
})

test('a mail that was sent while an operator asked for it is not sent twice', async () => {
  const { world, db, operator, customer, email } = await newDesk()
  const ctx = world.ctx()
  const [mailId, { userId }] = [ctx.newId('mail'), customer]
  const mail = { kind: 'account_suspended', payload: {}, to: email, userId, id: mailId } as const
  await db.batch([enqueueMail({ ...ctx, now: ctx.now + hours(1) }, mail)])
  const { changes, subject, carryOut } = await planResendMail(ctx, {
    ...{ kind: 'resend_mail', userId, mailId },
  })
  const sentAt = ctx.now
  await db.batch([db.update(mails).set({ dueAt: null, sentAt }).where(eq(mails.id, mailId))])
  const done = { kind: 'resend_mail', userId, subject, reason: 'Ticket 7', changes }
  await carryOut(newEntry(ctx, operator.id, done))
  expect(await mailsOf(ctx, userId)).toMatchObject([{ id: mailId, dueAt: null }])
})

test('asking the provider grants the tokens of a payment that nobody reported, and names the operator', async () => {
  const { world, operator, customer, send } = await newDesk()
  const { userId } = customer
  const purchase = await createPurchase(world.ctx(), userId)
  const desk = await newDesk([paymentFor(purchase)])
  expect(desk.operator.id).toBe(operator.id)
  const ask: Act = { kind: 'ask_provider', userId, purchaseId: purchase.id }
  const { changes } = await send(ask, true)
  expect(changes[0]).toBe('We ask Razorpay about token pack for USD 25.00, which is "open" here.')
  await desk.send(ask, false)
  const call = { ...atDesk(operator), params: { userId } }
  const { customer: shown, timeline } = await showCustomer(desk.world.ctx(), call)
  expect(shown.tokens.total).toBe(1_000_000)
  const grant = timeline.find(({ text }) => text.startsWith('grant of'))
  expect(grant?.cause).toMatch(/^operator /)
  const foreign = await newDesk()
  const other: Act = { ...ask, userId: foreign.customer.userId }
  await expect(foreign.send(other, false)).rejects.toThrow()
})

test('asking the provider learns that a refund failed, though the total of its payment is 0 again', async () => {
  const world = createWorld()
  const { userId } = await createAccount(world.ctx())
  const purchase = await createPurchase(world.ctx(), userId)
  const payment = paymentFor(purchase)
  const refund = refundOf(payment)
  const facts = factsOf({ payments: [payment], refundsAndDisputes: [refund] })
  await settle(world.ctx(), purchase, facts)
  expect(await outcomeOf(world.ctx(), purchase)).toMatchObject({ status: 'refunded', left: 0 })
  const desk = await newDesk([payment], [{ ...refund, state: 'undone' }])
  await desk.send({ kind: 'ask_provider', userId, purchaseId: purchase.id }, false)
  expect(await outcomeOf(world.ctx(), purchase)).toMatchObject({ status: 'paid', left: 1_000_000 })
})

test('an alarm stays on the desk until an operator acknowledges it, and the next alert of its kind raises another', async () => {
  const { world, db, operator, send } = await newDesk()
  const kind = 'sign-in with Google is not configured'
  const raise = async () => {
    const pending = new PendingAlarms()
    pending.add({ kind, fields: { reason: 'GOOGLE_ISSUER' }, at: world.now() })
    await storeAlarms(world.ctx(), pending)
  }
  const standing = async () => {
    const today = await showToday(world.ctx(), atDesk(operator))
    return today.alarms.filter((alarm) => alarm.kind === kind)
  }
  await raise()
  const [first] = await standing()
  expect(first).toMatchObject({ count: 1, facts: ['reason: GOOGLE_ISSUER'] })
  expect(first?.text).toContain('Set it, or delete GOOGLE_CLIENT_ID.')

  const acknowledge: Act = { kind: 'acknowledge_alarm', alarmId: first?.id ?? '' }
  const { changes } = await send(acknowledge, true)
  await raise()
  expect((await send(acknowledge, true)).changes, 'raised again meanwhile').toEqual(changes)
  expect(await standing()).toHaveLength(1)
  await send(acknowledge, false)
  expect(await standing()).toEqual([])
  await expect(send(acknowledge, false)).rejects.toThrow(DESK_ACT.noAlarm)
  const [kept, entries] = await db.batch([
    db
      .select()
      .from(alarms)
      .where(eq(alarms.id, first?.id ?? '')),
    db
      .select()
      .from(deskActs)
      .where(eq(deskActs.subject, first?.id ?? '')),
  ])
  expect(kept).toMatchObject([{ acknowledgedBy: operator.id, acknowledgedAt: world.now() }])
  expect(entries).toMatchObject([{ kind: 'acknowledge_alarm', userId: null, reason: 'Ticket 7' }])

  world.advance(1)
  await raise()
  expect(await standing()).toMatchObject([{ count: 1 }])
})
