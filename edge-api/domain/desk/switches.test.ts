import { newLink } from '../../../tests/harness/world/rows.ts'
import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { atDesk, createOperatorAccount } from '../../../tests/harness/operator.ts'
import { emptyWorld } from '../../../tests/harness/world/empty-world.ts'
import { createAccount } from '../../../tests/harness/world/account.ts'
import { paymentFor, providerId } from '../../../tests/harness/world/purchase.ts'
import { callOf, createWorld, NO_INPUT } from '../../../tests/harness/world/world.ts'
import { TRIAL_TOKENS } from '../../../src/contract/answers.ts'
import { MAIN_PLAN } from '../../../src/contract/catalogue.ts'
import { type Act, SWITCH } from '../../../src/contract/desk-acts.ts'
import { PURCHASE_REFUSED } from '../../../src/contract/messages.ts'
import { deskActs } from '../../db/schema/desk.ts'
import { purchases } from '../../db/schema/purchases.ts'
import { mails } from '../../db/schema/records.ts'
import { unavailableGateway } from '../../gateways/razorpay/razorpay-gateway.ts'
import { resendVerification, verifyEmail } from '../account/verify-email.ts'
import { renderMail } from '../mail/render.ts'
import { factsOf } from '../ports/payments.ts'
import { createOrder } from '../purchase/create-order.ts'
import { createPaymentLink } from '../purchase/create-payment-link.ts'
import { requirePurchase } from '../purchase/find-purchase.ts'
import { settle } from '../purchase/settle.ts'
import { announcementHandler } from '../switches/switches.ts'
import { minutes, toIso } from '../time.ts'
import { showUsage } from '../tokens/show-usage.ts'
import { act } from './act.ts'
import { showSwitches } from './switches.ts'

/** The desk of a site that sells. */
async function newDesk() {
  const payments = {
    ...unavailableGateway,
    keyId: 'rzp_test_EMUkey00000001',
    createOrder: () => Promise.resolve(providerId('order')),
  }
  const world = await emptyWorld({ payments })
  const operator = await createOperatorAccount(world.ctx())
  const send = (wanted: Act, isPreview = false) =>
    act(world.ctx(), { ...atDesk(operator), body: { act: wanted, reason: 'Upkeep', isPreview } })
  const stands = () => showSwitches(world.ctx(), atDesk(operator))
  const { db } = world.ctx()
  const acts = async (subject: string) => {
    const { rows } = await db.batch({
      rows: db.select().from(deskActs).where(eq(deskActs.subject, subject)),
    })
    return rows.map(({ kind, reason }) => `${kind}: ${reason}`)
  }
  return { world, db, send, stands, acts }
}

test('while sales pause nothing new is ordered, and what is on its way is settled', async () => {
  const { world, db, send, stands, acts } = await newDesk()
  const [early, late] = [await createAccount(world.ctx()), await createAccount(world.ctx())]
  const body = { planType: MAIN_PLAN.sku, preferredCurrency: 'USD' } as const
  const order = (claims: typeof early) => createOrder(world.ctx(), { ...callOf(claims), body })
  const { purchaseId } = await order(early)

  const off: Act = { kind: 'switch', name: 'sales', isOn: false }
  const { changes } = await send(off, true)
  expect(changes[0]).toContain('Nobody can start a purchase')
  expect(await stands()).toMatchObject({ areSalesOn: true })
  expect(await acts('sales')).toEqual([])
  // One of six clicks counts.
  await Promise.allSettled(Array.from({ length: 6 }, () => send(off)))
  expect(await stands()).toMatchObject({ areSalesOn: false, isTrialOn: true })
  await expect(send(off)).rejects.toThrow(SWITCH.unchanged)

  const paused = { code: 'SALES_PAUSED', message: PURCHASE_REFUSED.salesPaused }
  await expect(order(late)).rejects.toMatchObject(paused)
  // Also for the open order: the tab asks again before each payment.
  await expect(order(early)).rejects.toMatchObject(paused)
  const link = createPaymentLink(world.ctx(), { ...callOf(late), body })
  await expect(link).rejects.toMatchObject(paused)
  const { opened, open } = await db.batch({
    opened: db.select().from(purchases).where(eq(purchases.userId, late.userId)),
    open: db.select().from(purchases).where(eq(purchases.id, purchaseId)),
  })
  expect(opened).toEqual([])
  const purchase = requirePurchase(open)
  await settle(world.ctx(), purchase, factsOf({ payments: [paymentFor(purchase)] }))
  const { tokens } = await showUsage(world.ctx(), { ...callOf(early), query: { days: 1 } })
  expect(tokens.total).toBe(MAIN_PLAN.tokens)

  await send({ ...off, isOn: true })
  expect((await order(late)).order.amount).toBe(MAIN_PLAN.priceMinor.USD)
  expect(await acts('sales')).toEqual(['switch: Upkeep', 'switch: Upkeep'])
})

test('while the trial is off a proven address brings no tokens and no mail promises any; afterwards the link brings them', async () => {
  const { world, db, send, stands, acts } = await newDesk()
  const claims = await createAccount(world.ctx())
  const off: Act = { kind: 'switch', name: 'trial', isOn: false }
  const promised = async () => {
    world.advance(1)
    await resendVerification(world.ctx(), callOf(claims))
    const { rows } = await db.batch({
      rows: db
        .select()
        .from(mails)
        .where(sql`user_id = ${claims.userId} AND created_at = ${world.now()}`),
    })
    const { text } = renderMail(rows[0] ?? { kind: '', payload: '' }, world.ctx())
    expect(text).toContain('The link works for 24 hours.')
    return text.includes('tokens')
  }
  expect(await promised()).toBe(true)
  await send(off)
  expect(await promised()).toBe(false)
  expect(await stands()).toMatchObject({ isTrialOn: false })

  const params = { token: await newLink(world.ctx(), claims.userId, 'verify') }
  const open = () => verifyEmail(world.ctx(), { ...NO_INPUT, params })
  const total = async () =>
    (await showUsage(world.ctx(), { ...callOf(claims), query: { days: 1 } })).tokens.total
  await open()
  expect(await total()).toBe(0)
  await send({ ...off, isOn: true })
  await open()
  expect(await total()).toBe(TRIAL_TOKENS)
  expect(await acts('trial')).toEqual(['switch: Upkeep', 'switch: Upkeep'])
})

test('an announcement is shown until its end or until an operator ends it, and asks the database once a minute', async () => {
  const { world, send, stands, acts } = await newDesk()
  const announcement = announcementHandler()
  const until = toIso(world.now() + minutes(10))
  const told = async () => (await announcement(world.ctx(), NO_INPUT)).announcement
  expect(await told()).toBeNull()
  const announce: Act = { kind: 'announce', text: 'Upkeep <b>at 9</b>.', until }
  const past = { ...announce, until: toIso(world.now()) }
  await expect(send(past, true)).rejects.toThrow(SWITCH.isPast)
  const { changes } = await send(announce)
  expect(changes[0]).toMatch(/^Every page says "Upkeep <b>at 9<\/b>." until 20\S+ \d\d:\d\d UTC\.$/)

  // An isolate keeps the answer for a minute.
  expect(await told()).toBeNull()
  world.advance(minutes(1))
  expect(await told()).toEqual({ version: 1, text: 'Upkeep <b>at 9</b>.', until })
  const ctx = world.ctx()
  for (let call = 0; call < 100; call += 1) await announcement(ctx, NO_INPUT)
  expect(ctx.db.trips()).toBe(0)
  world.advance(minutes(1))
  const next = world.ctx()
  await Promise.all(Array.from({ length: 100 }, () => announcement(next, NO_INPUT)))
  expect(next.db.trips()).toBe(1)

  world.advance(minutes(8))
  expect(await told()).toBeNull()
  expect((await stands()).announcement).toBeNull()
  await expect(send({ kind: 'end_announcement' })).rejects.toThrow(SWITCH.noAnnouncement)
  const again = await send({ ...announce, until: null })
  expect(again.changes.join(), 'it ended by itself').not.toContain('It no longer says')
  world.advance(minutes(1))
  expect(await told()).toMatchObject({ version: 2, until: null })

  // A visitor sees no error about something they did not ask for.
  world.advance(minutes(1))
  const down = createWorld({ databaseUrl: 'http://127.0.0.1:9', now: world.now() })
  expect((await announcement(down.ctx(), NO_INPUT)).announcement).toMatchObject({ version: 2 })

  await send({ kind: 'end_announcement' })
  await expect(send({ kind: 'end_announcement' })).rejects.toThrow(SWITCH.noAnnouncement)
  world.advance(minutes(1))
  expect(await told()).toBeNull()
  expect(await acts('announcement')).toHaveLength(3)
})
