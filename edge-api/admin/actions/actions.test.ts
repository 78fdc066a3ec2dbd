import { fulfilled } from '#harness/fulfilled.ts'
import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { AUTH } from '../../../src/contract/messages.ts'
import { TicketInput } from '../../../src/contract/support.ts'
import { APPLICATION } from '#harness/application.ts'
import { setUpTotp } from '#harness/factors.ts'
import { grantStatements } from '#harness/entitlement.ts'
import { cheapHash, createAccount, openAccount } from '#harness/fixture/account.ts'
import { ADMIN, adminOf } from '#harness/fixture/admin.ts'
import { emptyFixture } from '#harness/fixture/empty-fixture.ts'
import { createPurchase, disputeOf, paymentFor } from '#harness/fixture/purchase.ts'
import { openPaid, use } from '#harness/fixture/refund.ts'
import { mailsOf, rowsOf, userOf, secretIn } from '#harness/fixture/rows.ts'
import { callOf, createFixture, NO_INPUT } from '#harness/fixture/fixture.ts'
import { alerts } from '../../db/schema/admin.ts'
import { mails } from '../../db/schema/records.ts'
import type { users } from '../../db/schema/users.ts'
import { exportData } from '../../domain/data-rights/export-data.ts'
import { listNotices } from '../../domain/profile/list-notices.ts'
import { checkResetLink, forgotPassword } from '../../domain/password/reset-password.ts'
import { me } from '../../domain/profile/me.ts'
import { PendingAlerts, storeAlerts } from '../../domain/alert/store-alerts.ts'
import { enqueueMail } from '../../domain/mail/outbox.ts'
import { GatewayUnavailable } from '../../domain/ports/payments.ts'
import { isTurnedOff } from '../../domain/flags/flags.ts'
import { applyForJob, submitTicket } from '../../domain/support/submit.ts'
import { days } from '../../domain/time.ts'
import { listLedger } from '../../domain/tokens/list-ledger.ts'
import { readCustomer } from '../customer-rows.ts'
import { CHANGED } from './action.ts'
import { signIn, verifyWith } from '#harness/fixture/sign-in.ts'

async function openCustomer(overrides: Partial<typeof users.$inferInsert> = {}) {
  const { fixture, claims } = await openAccount({ passwordHash: cheapHash(), ...overrides })
  return {
    fixture,
    claims,
    user: claims.userId,
    of: { user: claims.userId },
    admin: adminOf(fixture),
    me: async () => (await me(fixture.ctx(), callOf(claims))).user,
    signIn: (email = claims.email) => signIn(fixture, email),
    row: () => userOf(fixture.ctx(), claims.userId),
    mails: async () =>
      (await mailsOf(fixture.ctx(), claims.userId)).map((mail) => [mail.kind, mail.toAddress]),
  }
}

test('a preview changes nothing; a suspended account is out at once, notified why, and let in again', async () => {
  const { fixture, claims, user, of, admin, me: look, signIn, mails: sent } = await openCustomer()
  expect(await admin.preview('suspend', of)).toEqual([
    'Nobody can sign in to the account.',
    'One session ends.',
    'We email the customer about it, and about how to get a refund.',
  ])
  expect(await admin.log(user)).toEqual([])
  expect((await look()).email).toBe(claims.email)
  await admin.execute('suspend', of)
  await expect(look()).rejects.toThrow('Please sign in')
  await expect(signIn()).rejects.toThrow(AUTH.suspended)
  await expect(admin.execute('suspend', of)).rejects.toThrow('already suspended')
  fixture.advance(1)
  await admin.execute('lift_suspension', of)
  expect((await signIn()).user.email).toBe(claims.email)
  const log = await admin.log(user)
  expect(log.map(({ kind, by, reason }) => [kind, by, reason])).toEqual([
    ['lift_suspension', ADMIN, 'Ticket 7'],
    ['suspend', ADMIN, 'Ticket 7'],
  ])
  expect(JSON.stringify(log), 'it outlives the account').not.toContain(claims.email)
  expect((await sent()).map(([kind]) => kind)).toEqual(['account_suspended', 'suspension_lifted'])
  expect(JSON.stringify(await sent()), 'who acted stays here').not.toContain(ADMIN)
})

test('an action happens once for a token, also with many clicks at once', async () => {
  const { fixture, user, of, admin, mails: sent } = await openCustomer()
  const id = fixture.ctx().newId('act')
  const clicks = Array.from({ length: 6 }, () => admin.execute('suspend', of, { id }))
  expect(await fulfilled(clicks), 'a click again is no error').toHaveLength(6)
  expect(await admin.execute('end_sessions', of, { id }), 'done before').toBeNull()
  expect(await admin.log(user)).toHaveLength(1)
  expect(await sent()).toHaveLength(1)
  const others = Array.from({ length: 6 }, () => admin.execute('lift_suspension', of))
  expect(await fulfilled(others)).toHaveLength(1)
})

test('nobody acts on the account of their own mailbox', async () => {
  const { fixture, of, claims } = await openCustomer()
  const own = adminOf(fixture, claims.email.toUpperCase().replace('@', '+desk@'))
  for (const [kind, more] of Object.entries({
    ...{ adjust_tokens: { tokens: '5' }, extend_plan: { days: '5' }, end_sessions: {} },
    ...{ suspend: {}, lift_suspension: {}, correct_address: { email: 'new@example.test' } },
    ...{ undo_correction: {}, export_data: {}, delete_account: {} },
  })) {
    await expect(own.preview(kind, { ...of, ...more }), kind).rejects.toThrow('your own account')
  }
})

test('tokens are given and taken by hand, never below zero, and the customer reads who did it', async () => {
  const { fixture, claims, user, of, admin, me: look } = await openCustomer()
  const adjust = (tokens: string, shown?: string[]) =>
    admin.execute('adjust_tokens', { ...of, tokens }, shown === undefined ? {} : { shown })
  const left = async () => {
    const { tokens } = await look()
    return tokens.total - tokens.used
  }
  const shown = await admin.preview('adjust_tokens', { ...of, tokens: '5,000' })
  expect(shown).toEqual([
    '5,000 tokens are given: 0 left now, 5,000 afterwards.',
    'They cannot be refunded.',
    'The customer gets a notification: "Our support team added 5,000 tokens."',
  ])
  expect(await fulfilled(Array.from({ length: 9 }, () => adjust('5000', shown)))).toHaveLength(1)
  expect(await left()).toBe(5_000)
  await expect(adjust('5000', shown)).rejects.toThrow(CHANGED)
  await use(fixture, claims, 1_000)
  fixture.advance(1_000)
  await expect(adjust('-4001')).rejects.toThrow('has 4,000 tokens left. Remove fewer.')
  await adjust('-4000')
  expect(await left()).toBe(0)
  for (const wrong of ['five', '0', '1e9', '', '1000000000']) {
    await expect(adjust(wrong), wrong).rejects.toThrow('Enter a whole number')
  }
  const query = { limit: 10, kind: 'adjustment' } as const
  const { entries } = await listLedger(fixture.ctx(), { ...callOf(claims), query })
  expect(entries.map(({ tokens }) => tokens)).toEqual([-4_000, 5_000])
  const { notices } = await listNotices(fixture.ctx(), callOf(claims))
  expect(notices.map(({ text, device }) => [text, device])).toEqual([
    ['Our support team removed 4,000 tokens.', 'Our support'],
    ['Our support team added 5,000 tokens.', 'Our support'],
  ])
  expect(await admin.log(user)).toHaveLength(2)
})

test('tokens given by hand have no refund value, and an admin takes them before bought ones', async () => {
  const paid = await openPaid()
  const unused = async (tokens: number) => {
    paid.fixture.advance(1_000)
    const given = { user: paid.claims.userId, tokens: String(tokens) }
    await adminOf(paid.fixture).execute('adjust_tokens', given)
    return (await paid.quote()).unusedTokens
  }
  expect([await unused(50_000), await unused(-50_000)]).toEqual([1_000_000, 1_000_000])
  expect([await unused(30_000), await unused(-100_000)]).toEqual([1_000_000, 930_000])
})

test('a plan is extended as shown, once for two clicks, also after its end', async () => {
  const fixture = createFixture({ now: Date.UTC(2030, 0, 1) })
  const claims = await createAccount(fixture.ctx())
  const of = { user: claims.userId }
  const admin = adminOf(fixture)
  await expect(admin.preview('extend_plan', { ...of, days: '30' })).rejects.toThrow('has no plan')
  const row = await userOf(fixture.ctx(), claims.userId)
  await fixture.ctx().db.batch({ plan: grantStatements(fixture.ctx(), row, { hasPlan: true }) })
  const shown = await admin.preview('extend_plan', { ...of, days: '30' })
  expect(shown[0]).toBe('The plan ends on 31 January 2031 instead of 1 January 2031.')
  const clicks = [1, 2].map(() => admin.execute('extend_plan', { ...of, days: '30' }, { shown }))
  expect(await fulfilled(clicks)).toHaveLength(1)
  const { user } = await me(fixture.ctx(), callOf(claims))
  expect(user.subscription.currentPeriodEnd?.slice(0, 10)).toBe('2031-01-31')
  const { notices } = await listNotices(fixture.ctx(), callOf(claims))
  expect(notices.map(({ text }) => text)).toEqual([
    'Our support team extended your plan until 31 January 2031.',
  ])
  fixture.advance(days(400))
  await expect(admin.preview('extend_plan', { ...of, days: '5' })).rejects.toThrow('more days')
})

test('a corrected address: the stranger who has the former one is out, the right one is verified by mail', async () => {
  const opened = await openCustomer()
  const { fixture, claims, user, of, admin, signIn, mails: sent } = opened
  const [former, right] = [claims.email, `right.${claims.email}`]
  await forgotPassword(fixture.ctx(), { ...NO_INPUT, body: { email: former } })
  const reset = await secretIn(fixture.ctx(), user, 'reset_password')
  const check = () => checkResetLink(fixture.ctx(), { ...NO_INPUT, params: { token: reset } })
  await check()
  const shown = await admin.preview('correct_address', { ...of, email: right })
  expect(shown).toContain('The password stays: it was set at registration.')
  expect(shown.join(), 'the log is permanent').not.toContain('@')
  fixture.advance(1_000)
  await admin.execute('correct_address', { ...of, email: right }, { shown })
  await expect(opened.me()).rejects.toThrow('Please sign in')
  await expect(check()).rejects.toMatchObject({ code: 'LINK_INVALID' })
  await expect(signIn(former)).rejects.toThrow('Invalid email or password')
  expect((await signIn(right)).user).toMatchObject({ email: right, isEmailVerified: false })
  expect((await sent()).slice(1)).toEqual([
    ['address_corrected', right],
    ['address_replaced', former],
  ])
  await verifyWith(fixture, await secretIn(fixture.ctx(), user, 'address_corrected'))
  expect((await opened.row()).emailVerifiedAt).not.toBeNull()

  const again = admin.preview('correct_address', { ...of, email: `other.${right}` })
  await expect(again).rejects.toThrow('Undo that first')
  fixture.advance(days(7) - 2_000)
  await admin.execute('undo_correction', of)
  expect(await opened.row()).toMatchObject({ email: former, emailVerifiedAt: null })
  expect((await sent()).slice(-2)).toEqual([
    ['address_restored', former],
    ['address_replaced', right],
  ])
  fixture.advance(1)
  await admin.execute('correct_address', { ...of, email: right })
  fixture.advance(days(7))
  await expect(admin.execute('undo_correction', of)).rejects.toThrow('No address was corrected')
  expect((await admin.log(user)).map(({ kind }) => kind)).toHaveLength(3)
})

test('with the former mailbox go a password of its link and the Google account; second steps stay', async () => {
  const googleSubject = crypto.randomUUID()
  const verified = { emailVerifiedAt: 1, isPasswordVerified: true, googleSubject }
  const { fixture, claims, of, admin, row } = await openCustomer(verified)
  const right = { ...of, email: `right.${claims.email}` }
  await setUpTotp(fixture.ctx(), claims)
  expect((await admin.preview('correct_address', right)).slice(2, 5)).toEqual([
    'The password is cleared, because it was set with a link emailed to the former address. "Forgot your password?" sets a new one.',
    'The Google account is disconnected and can no longer sign in.',
    'What stays: the authenticator app. If the wrong person set that up, suspend the account.',
  ])
  await admin.execute('correct_address', right)
  expect(await row()).toMatchObject({
    emailVerifiedAt: null,
    googleSubject: null,
    passwordHash: '',
  })
  expect(await admin.preview('undo_correction', of)).toContain(
    'Its Google account can sign in again.',
  )
  await admin.execute('undo_correction', of)
  expect(await row()).toMatchObject({ email: claims.email, emailVerifiedAt: 1, googleSubject })
})

test('no address has two accounts: not at a preview, not at once, and not when a correction is undone', async () => {
  const [first, second] = [await openCustomer(), await openCustomer()]
  const right = `right.${first.claims.email}`
  const taken = { ...first.of, email: second.claims.email.toUpperCase() }
  await expect(first.admin.preview('correct_address', taken)).rejects.toThrow('has this address')
  const both = await Promise.allSettled(
    [first, second].map(({ admin, of }) =>
      admin.execute('correct_address', { ...of, email: right }),
    ),
  )
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const winner = both[0]?.status === 'fulfilled' ? first : second
  const { email } = winner.claims
  await createAccount(winner.fixture.ctx(), { email, emailKey: email })
  await expect(winner.admin.execute('undo_correction', winner.of)).rejects.toThrow(
    'now has the former',
  )
  expect(await winner.row()).toMatchObject({ email: right })
})

test('the admin gets the export that the customer can take, and deletes an account as its user does', async () => {
  const paid = await openPaid()
  const { fixture, claims } = paid
  const { userId: user } = claims
  const admin = adminOf(fixture)
  await fixture.read(sql`UPDATE users SET email_verified_at = 1 WHERE id = ${user}`)
  await setUpTotp(fixture.ctx(), claims)
  const done = await admin.execute('export_data', { user })
  const text = await new Response(await done?.file?.()).text()
  expect(JSON.parse(text)).toMatchObject({ user: { id: user }, receipts: [{}] })
  expect(text).not.toMatch(/passwordHash|"secret"|\$scrypt/)
  const own = await new Response(await exportData(fixture.ctx(), callOf(claims))).text()
  expect(own).toContain('"device":"Our support"')
  expect(own, 'who acted').not.toContain(ADMIN)

  const shown = await admin.preview('delete_account', { user })
  expect(shown.slice(1)).toEqual([
    '1 paid purchase with receipts and the ledger stay, as tax law requires.',
    '1,000,000 tokens can no longer be used, and nothing is refunded automatically: if the customer wants a refund, do that first.',
    'Tickets and applications from its address are deleted too.',
    'Its address gets a last email.',
  ])
  fixture.advance(1)
  const clicks = [1, 2, 3].map(() => admin.execute('delete_account', { user }, { shown }))
  expect(await fulfilled(clicks)).toHaveLength(1)
  expect(fixture.infos).toEqual([{ event: 'account deleted', fields: { userId: user } }])
  await expect(me(fixture.ctx(), callOf(claims))).rejects.toThrow('Please sign in')
  for (const [kind, more] of Object.entries({
    refund: { purchase: paid.purchase.id },
    adjust_tokens: { tokens: '5' },
    export_data: {},
    delete_account: {},
  })) {
    await expect(admin.execute(kind, { user, ...more }), kind).rejects.toThrow('was deleted')
  }
  expect((await admin.log(user)).map(({ kind }) => kind)).toEqual(['delete_account', 'export_data'])
})

test('the refund is the formula of the buyer’s own, also after the 14 days, as shown and once', async () => {
  const paid = await openPaid()
  const { fixture, claims, purchase } = paid
  const admin = adminOf(fixture)
  const of = { user: claims.userId, purchase: purchase.id }
  await paid.use(200_000)
  fixture.advance(days(20))
  const shown = await admin.preview('refund', of)
  expect(shown).toEqual([
    'INR 2399.20 (239,920 paise) of Pro is refunded: INR 2999.00 × 800,000 unused tokens ÷ 1,000,000.',
    'The 800,000 unused tokens are removed now.',
    'The plan ends now.',
    'The customer gets an email now, and another when the money is sent.',
  ])
  const clicks = [1, 2, 3].map(() => admin.execute('refund', of, { shown }))
  expect(await fulfilled(clicks)).toHaveLength(1)
  expect(await paid.outcome()).toMatchObject({ left: 0, pending: [{ isDone: false }] })
  await expect(admin.preview('refund', of)).rejects.toThrow('already requested')
  expect(await admin.log(claims.userId)).toMatchObject([{ subject: purchase.id }])
})

test('while Razorpay’s sum stays ahead of the refunds that it lists, a refund asks once and is not shown', async () => {
  const { fixture, claims, purchase, payment, report } = await openPaid()
  await report({ payments: [{ ...payment, amountRefundedMinor: 199_900 }] })
  let asked = 0
  const refundsOfPayment = () =>
    (asked += 1) > 5 ? Promise.reject(new GatewayUnavailable('')) : Promise.resolve([])
  const admin = adminOf({ ctx: () => fixture.ctxWith({ refundsOfPayment }) })
  const preview = admin.preview('refund', { user: claims.userId, purchase: purchase.id })
  await expect(preview).rejects.toMatchObject({ code: 'PAYMENT_PROVIDER_UNAVAILABLE' })
  expect(asked).toBe(1)
})

test('asked about a purchase, Razorpay’s answer is settled, as an admin brought it, and a silence changes nothing', async () => {
  const fixture = await emptyFixture()
  const { userId: user } = await createAccount(fixture.ctx())
  const purchase = await createPurchase(fixture.ctx(), user)
  const paymentsOfOrder = () => Promise.resolve([paymentFor(purchase)])
  const input = { user, purchase: purchase.id }
  const away = () => Promise.reject(new GatewayUnavailable('no answer'))
  const silent = adminOf({ ctx: () => fixture.ctxWith({ paymentsOfOrder: away }) })
  const shown = await silent.preview('ask_provider', input)
  expect(shown[0]).toBe('We ask Razorpay about token pack for USD 25.00, which is "open" here.')
  await expect(silent.execute('ask_provider', input)).rejects.toThrow('Razorpay does not answer')
  expect(await silent.log(user)).toEqual([])
  const admin = adminOf({ ctx: () => fixture.ctxWith({ paymentsOfOrder }) })
  await admin.execute('ask_provider', input, { shown })
  const { timeline } = await readCustomer(fixture.ctx(), user)
  const granted = { what: 'tokens', text: 'grant of 1,000,000 tokens', who: `by admin ${ADMIN}` }
  expect(timeline).toContainEqual(expect.objectContaining(granted))
  expect(await admin.log(user)).toMatchObject([{ kind: 'ask_provider', subject: purchase.id }])
})

test('asked about a purchase, Razorpay tells that its dispute was lost, of which no webhook came', async () => {
  const paid = await openPaid()
  const { fixture, claims, purchase, payment } = paid
  const disputed = disputeOf(payment)
  await paid.report({ disputes: [disputed] })
  const asked: string[] = []
  const fetchDispute = (id: string) => {
    asked.push(id)
    return Promise.resolve({ ...disputed, state: 'lost' as const, asOf: null })
  }
  const paymentsOfOrder = () => Promise.resolve([payment])
  const refundsOfPayment = () => Promise.resolve([])
  const gateway = { fetchDispute, paymentsOfOrder, refundsOfPayment }
  fixture.advance(1)
  const admin = adminOf({ ctx: () => fixture.ctxWith(gateway) })
  const of = { user: claims.userId, purchase: purchase.id }
  expect(await admin.preview('ask_provider', of)).toContain('We also ask about 1 dispute of it.')
  await admin.execute('ask_provider', of)
  expect(asked).toEqual([disputed.id])
  expect(await paid.outcome()).toMatchObject({ status: 'refunded', left: 0 })
})

test('a mail is sent at once if it waits, and once more as a copy otherwise, but not when its link was wiped', async () => {
  const { fixture, claims, user, of, admin } = await openCustomer()
  const ctx = fixture.ctx()
  const { db } = ctx
  const [given, wiped] = [ctx.newId('mail'), ctx.newId('mail')]
  const mail = { to: claims.email, userId: user }
  await db.batch([
    enqueueMail(ctx, { ...mail, id: given, kind: 'receipt', payload: JSON.parse('{}') }),
    enqueueMail(ctx, { ...mail, id: wiped, kind: 'reset_password', payload: { secret: null } }),
    db.update(mails).set({ dueAt: null, failedAt: ctx.now }).where(eq(mails.id, given)),
  ])
  await expect(admin.preview('resend_mail', { ...of, mail: wiped })).rejects.toThrow('was removed')
  const other = { user: (await createAccount(ctx)).userId, mail: given }
  await expect(admin.preview('resend_mail', other)).rejects.toThrow('no such email')
  expect((await admin.preview('resend_mail', { ...of, mail: given }))[0]).toBe(
    'The email "receipt" to the account’s address is sent again.',
  )
  const clicks = [1, 2, 3].map(() => admin.execute('resend_mail', { ...of, mail: given }))
  expect(await fulfilled(clicks)).toHaveLength(1)
  const rows = await rowsOf(db, mails, eq(mails.userId, user))
  expect(rows.filter(({ kind }) => kind === 'receipt')).toHaveLength(2)
})

test('an acknowledged alert leaves, and names who did it', async () => {
  const fixture = await emptyFixture()
  const admin = adminOf(fixture)
  const pending = new PendingAlerts()
  pending.add({ kind: 'mail given up', fields: { mailId: 'mail_1' }, at: fixture.now() })
  await storeAlerts(fixture.ctx(), pending)
  const { db } = fixture.ctx()
  const stored = async () => (await rowsOf(db, alerts))[0]
  const alert = (await stored())?.id ?? ''
  await admin.execute('acknowledge_alert', { alert })
  expect(await stored()).toMatchObject({ acknowledgedAt: fixture.now(), acknowledgedBy: ADMIN })
  await expect(admin.execute('acknowledge_alert', { alert })).rejects.toThrow('no longer open')
})

test('flags and the announcement change once as shown, and only if nobody changed them meanwhile', async () => {
  const fixture = createFixture()
  const admin = adminOf(fixture)
  const isOff = () => fixture.read(sql`SELECT ${isTurnedOff('trial')} AS off`)
  const off = { flag: 'trial', to: 'off' }
  const shown = await admin.preview('set_flag', off)
  const clicks = [1, 2].map(() => admin.execute('set_flag', off, { shown }))
  expect(await fulfilled(clicks)).toHaveLength(1)
  expect(await isOff()).toEqual([{ off: 1 }])
  fixture.advance(1)
  await admin.execute('set_flag', { flag: 'trial', to: 'on' })
  expect(await isOff()).toEqual([{ off: 0 }])

  fixture.advance(1)
  const text = 'We are back at noon.'
  const past = { text, until: '2020-01-01T12:00' }
  await expect(admin.preview('announce', past)).rejects.toThrow('later time')
  expect((await admin.preview('announce', { text, until: '2100-01-02T03:04' }))[0]).toBe(
    'Every page says "We are back at noon." until 2100-01-02 03:04 UTC.',
  )
  await admin.execute('announce', { text, until: '' })
  fixture.advance(1)
  expect((await admin.preview('announce', { text: 'Another.' }))[1]).toBe(
    `It no longer says "${text}".`,
  )
  await admin.execute('end_announcement', {})
  await expect(admin.preview('end_announcement', {})).rejects.toThrow('Nothing is announced')
})

test('a submission is done and open again, which sets and clears the day of an application’s purge, and is deleted', async () => {
  const fixture = createFixture()
  const admin = adminOf(fixture)
  const email = 'a@b.test'
  const ticket = { ...NO_INPUT, body: TicketInput.parse({ email, query: 'Hi' }), claims: null }
  const { ticketNumber: submission } = await submitTicket(fixture.ctx(), ticket)
  const state = () =>
    fixture.read(sql`SELECT state FROM support_tickets WHERE number = ${submission.slice(2)}`)
  await admin.execute('submission_done', { submission })
  expect(await state()).toEqual([{ state: 'closed' }])
  await expect(admin.execute('submission_done', { submission })).rejects.toThrow('done already')
  await admin.execute('submission_open', { submission })
  expect(await state()).toEqual([{ state: 'new' }])
  const application = { ...NO_INPUT, body: { ...APPLICATION, email }, claims: null }
  const { applicationNumber: name } = await applyForJob(fixture.ctx(), application)
  const decided = () =>
    fixture.read(sql`SELECT decided_at AS at FROM job_applications WHERE number = ${name.slice(2)}`)
  expect(await admin.preview('submission_done', { submission: name })).toContain(
    'It is deleted twelve months from now.',
  )
  await admin.execute('submission_done', { submission: name })
  expect(await decided()).toEqual([{ at: fixture.now() }])
  await admin.execute('submission_open', { submission: name })
  expect(await decided()).toEqual([{ at: null }])
  await admin.execute('submission_delete', { submission })
  expect(await state()).toEqual([])
  await expect(admin.preview('submission_done', { submission })).rejects.toThrow('There is no T-')
})
