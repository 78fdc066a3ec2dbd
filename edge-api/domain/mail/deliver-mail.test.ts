import { changeRows, rowsOf } from '#harness/fixture/rows.ts'
import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { emptyFixture } from '#harness/fixture/empty-fixture.ts'
import type { Fixture } from '#harness/fixture/fixture.ts'
import { mails } from '../../db/schema/records.ts'
import { hours, minutes, seconds } from '../time.ts'
import { deliverDueMail } from './deliver-mail.ts'
import { listLocalMail } from './local-mailbox.ts'
import type { OutgoingMail } from '../ports/mailer.ts'
import { enqueueMail, enqueueMailFrom } from './outbox.ts'
import type { MailKind } from './render.ts'

/** A rejection by Cloudflare. */
const rejected = (code: string) => Object.assign(new Error('refused'), { code })

const SECRET = 'the-secret-part'

const resetMail = (id: string, to: string) =>
  ({ kind: 'reset_password', payload: { secret: SECRET }, id, to, userId: null }) as const

function openPostOffice(fixture: Fixture, { isLocal = false } = {}) {
  const sent: OutgoingMail[] = []
  let rejections = 0
  let rejection: Error = new TypeError('secret text of the provider')
  const timeout = Promise.withResolvers<never>()
  let hanging = ''
  let take = () => Promise.resolve()
  const mailer = {
    send: async (mail: OutgoingMail) => {
      if (rejections-- > 0) throw rejection
      sent.push(mail)
      await (mail.id === hanging ? timeout.promise : take())
    },
  }
  const ctx = () => ({ ...fixture.ctx(), mailer, isLocal })
  return {
    sent,
    /** Makes the mailer reject the next `count` mails. */
    refuse: (count: number, error: Error = rejection) => {
      rejections = count
      rejection = error
    },
    /** The send of this mail ends only by the returned function, with a TimeoutError. */
    hang: (id: string) => {
      hanging = id
      return () => timeout.reject(new DOMException('', 'TimeoutError'))
    },
    /** Awaited before each mail is taken. */
    takes: (work: () => Promise<void>) => {
      take = work
    },
    /** Resolves with the round trips it took. */
    deliver: async () => {
      const run = ctx()
      await deliverDueMail(run, { runMs: seconds(50) })
      return run.db.roundTrips()
    },
    post: async (kind?: MailKind) => {
      const id = fixture.ctx().newId('mail')
      const mail = resetMail(id, `${id}@example.test`)
      await ctx().db.batch([enqueueMail(ctx(), { ...mail, kind: kind ?? mail.kind })])
      return id
    },
    row: async (id: string) => {
      const [row] = await rowsOf(ctx().db, mails, eq(mails.id, id))
      if (row === undefined) throw new Error('no such mail')
      return row
    },
  }
}

async function open() {
  const fixture = await emptyFixture()
  return { fixture, office: openPostOffice(fixture) }
}

test('a mail that the provider rejects is tried again with growing pauses and sent once', async () => {
  const { fixture, office } = await open()
  const id = await office.post()
  office.refuse(2)
  await office.deliver()
  expect(await office.row(id)).toMatchObject({ attempts: 1, sentAt: null, lastError: 'TypeError' })
  await office.deliver()
  expect(await office.row(id)).toMatchObject({ attempts: 1 })
  fixture.advance(seconds(30))
  await office.deliver()
  expect(await office.row(id)).toMatchObject({ attempts: 2, sentAt: null })
  fixture.advance(seconds(59))
  await office.deliver()
  expect(office.sent).toEqual([])
  fixture.advance(seconds(1))
  await office.deliver()
  await office.deliver()
  expect(office.sent.map((mail) => mail.id)).toEqual([id])
  const done = { sentAt: fixture.now(), dueAt: null, lastError: null }
  expect(await office.row(id)).toMatchObject(done)
})

test('a run that began late claims its mails for as long as any other', async () => {
  const fixture = await emptyFixture()
  const sent: string[] = []
  const mailer = {
    send: async ({ id }: OutgoingMail) => {
      sent.push(id)
      if (sent.length === 1) await deliverDueMail({ ...fixture.ctx(), mailer })
    },
  }
  const begun = { ...fixture.ctx(), mailer }
  await begun.db.batch([enqueueMail(begun, resetMail('mail_late', 'late@example.test'))])
  fixture.advance(minutes(3))
  await deliverDueMail(begun)
  expect(sent).toEqual(['mail_late'])
})

test('an alert is raised when mail is rejected twice and none was sent meanwhile, and not when others are sent', async () => {
  const { fixture, office } = await open()
  const code = 'E_HEADER_NOT_ALLOWED'
  const refuse = () => {
    office.refuse(1, rejected(code))
  }
  await office.post()
  refuse()
  await office.deliver()
  expect([fixture.alerts, fixture.errors]).toEqual([[], []])
  fixture.advance(seconds(30))
  refuse()
  await office.deliver()
  const fields = { refused: 1, reason: code }
  expect(fixture.alerts).toEqual([{ event: 'no mail leaves', fields }])
  fixture.advance(seconds(1))
  await office.post()
  await office.deliver()
  fixture.advance(seconds(59))
  refuse()
  await office.deliver()
  expect(office.sent).toHaveLength(1)
  expect(fixture.alerts).toHaveLength(1)
})

test('a mail that hangs is tried again alone: the others are marked at once', async () => {
  const { fixture, office } = await open()
  const [hanging = '', ...others] = await Promise.all(
    Array.from({ length: 5 }, () => office.post()),
  )
  const endHanging = office.hang(hanging)
  const delivery = office.deliver()
  await expect
    .poll(async () => (await Promise.all(others.map(office.row))).map(({ sentAt }) => sentAt))
    .toEqual(others.map(() => fixture.now()))
  expect(await office.row(hanging)).toMatchObject({ sentAt: null, lastError: null })
  endHanging()
  await delivery
  expect(await office.row(hanging)).toMatchObject({ sentAt: null, lastError: 'TimeoutError' })
  fixture.advance(minutes(3))
  await office.deliver()
  const counts = others.map((id) => office.sent.filter((mail) => mail.id === id).length)
  expect(counts).toEqual(others.map(() => 1))
})

test('one run sends all that is due, batch after batch, and of several at once none sends a mail again', async () => {
  const { office } = await open()
  const ids = await Promise.all(Array.from({ length: 50 }, () => office.post()))
  const roundTrips = await office.deliver()
  // Four claims. A write for each mail would hold up all other writes.
  expect(roundTrips).toBeLessThan(15)
  ids.push(...(await Promise.all(Array.from({ length: 12 }, () => office.post()))))
  await Promise.all([office.deliver(), office.deliver(), office.deliver()])
  expect(office.sent.map((mail) => mail.id).toSorted()).toEqual(ids.toSorted())
})

test('a run that takes long leaves the rest to the next, and marks and claims by the clock', async () => {
  const { fixture, office } = await open()
  await Promise.all(Array.from({ length: 50 }, () => office.post()))
  const begun = fixture.now()
  office.takes(() => {
    fixture.advance(seconds(2))
    return Promise.resolve()
  })
  await office.deliver()
  expect(office.sent).toHaveLength(40)
  const marked = await Promise.all(office.sent.map(({ id }) => office.row(id)))
  const late = marked.filter(({ sentAt }) => sentAt !== null && sentAt > begun + seconds(41))
  expect(late.length).toBeGreaterThan(15)
  await office.deliver()
  expect(new Set(office.sent.map(({ id }) => id)).size).toBe(50)
  expect(office.sent).toHaveLength(50)
})

test('mails claimed by a run that died are sent by another after two minutes', async () => {
  const { fixture, office } = await open()
  const id = await office.post()
  await changeRows(fixture.ctx().db, mails, { claimedUntil: fixture.now() + minutes(2) })
  await office.deliver()
  expect(office.sent).toEqual([])
  fixture.advance(minutes(2))
  await office.deliver()
  expect(office.sent.map((mail) => mail.id)).toEqual([id])
})

test("the secret of a mail is wiped once it was sent, but not on a developer's machine", async () => {
  const { fixture, office } = await open()
  const id = await office.post()
  expect((await office.row(id)).payload).toContain(SECRET)
  await office.deliver()
  expect(office.sent[0]?.text).toContain(`/reset-password/${SECRET}`)
  expect((await office.row(id)).payload).toBe('{"secret":null}')
  const local = openPostOffice(fixture, { isLocal: true })
  const kept = await local.post()
  await local.deliver()
  expect((await local.row(kept)).payload).toContain(SECRET)
})

test('a mail that cannot be read, as of a newer release after a rollback, waits for a day; the other mails are sent', async () => {
  const { fixture, office } = await open()
  const change = async (id: string, changed: { kind?: string; payload?: string }) => {
    await changeRows(fixture.ctx().db, mails, changed, eq(mails.id, id))
    return id
  }
  const newer = await change(await office.post('password_changed'), { kind: 'newer' })
  const broken = await change(await office.post('password_changed'), { payload: 'no JSON' })
  const id = await office.post()
  await office.deliver()
  expect(office.sent.map((mail) => mail.id)).toEqual([id])
  for (const waiting of [newer, broken]) {
    const expected = { sentAt: null, failedAt: null, lastError: 'unreadable payload' }
    expect(await office.row(waiting)).toMatchObject(expected)
  }
  await change(newer, { kind: 'password_changed' })
  fixture.advance(minutes(1))
  await office.deliver()
  expect(office.sent.map((mail) => mail.id)).toEqual([id, newer])
  fixture.advance(hours(24))
  await office.deliver()
  expect(await office.row(broken)).toMatchObject({ dueAt: null, failedAt: fixture.now() })
  expect(fixture.alerts.map(({ event, fields }) => [event, fields['mailId']])).toEqual([
    ['mail given up', broken],
  ])
  const listed = (await listLocalMail(fixture.ctx())).find((mail) => mail.id === broken)
  expect(listed?.status).toBe('failed')
})

test.each([
  ['after 24 hours', hours(24), new TypeError('secret text of the provider'), 'TypeError'],
  [
    'when its address rejects mail',
    0,
    rejected('E_RECIPIENT_SUPPRESSED'),
    'E_RECIPIENT_SUPPRESSED',
  ],
])('a mail is given up %s: its secret is wiped and an alert is raised', async (...row) => {
  const [, age, error, reason] = row
  const { fixture, office } = await open()
  const id = await office.post('password_changed')
  fixture.advance(age)
  office.refuse(1, error)
  await office.deliver()
  const { payload, ...given } = await office.row(id)
  expect(given).toMatchObject({ dueAt: null, failedAt: fixture.now(), lastError: reason })
  expect(payload).not.toContain(SECRET)
  expect(fixture.alerts).toMatchObject([{ event: 'mail given up', fields: { mailId: id, reason } }])
  expect(JSON.stringify(fixture.alerts)).not.toContain('secret text')
})

test.each([
  ['password_changed', 48, true],
  ['reset_password', 1, false],
  ['verify_address', 24, false],
  ['address_corrected', 24, false],
] as const)(
  'a mail of kind %s that a limit of the provider delays for %i hours is sent: %s',
  async (kind, age, isSent) => {
    const { fixture, office } = await open()
    const id = await office.post(kind)
    fixture.advance(hours(age) - 1)
    office.refuse(1, rejected('E_DAILY_LIMIT_EXCEEDED'))
    await office.deliver()
    fixture.advance(minutes(1))
    await office.deliver()
    expect(office.sent).toHaveLength(isSent ? 1 : 0)
    const row = await office.row(id)
    expect(row).toMatchObject({ dueAt: null, failedAt: isSent ? null : fixture.now() })
    expect(row.payload).not.toContain(SECRET)
  },
)

test('SQL values are set into the payload, and no address adds a mail header', async () => {
  const { fixture, office } = await open()
  const ctx = fixture.ctx()
  const mail = {
    id: sql<string>`'mail-of:' || n.value`,
    kind: 'refund',
    payload: {
      item: 'Token pack "1"',
      refunded: sql`json_object('amountMinor', n.value, 'currency', 'USD')`,
    },
    to: 'team@example.test\nBcc: everybody@example.test',
    userId: null,
  } as const
  const source = sql`FROM json_each('[105, 200]') n WHERE n.value > 0`
  const [written] = await ctx.db.batch([enqueueMailFrom(ctx, mail, source)])
  expect(written).toEqual([{ id: 'mail-of:105' }, { id: 'mail-of:200' }])
  const [again] = await ctx.db.batch([enqueueMailFrom(ctx, mail, source)])
  expect(again).toEqual([])
  await office.deliver()
  const sent = office.sent
    .filter(({ id }) => id.startsWith('mail-of:'))
    .toSorted((one, other) => one.id.localeCompare(other.id))
  expect(sent.map(({ to }) => to)).toEqual(
    Array.from({ length: 2 }, () => 'team@example.test Bcc: everybody@example.test'),
  )
  expect(sent[0]?.text).toContain('Item: Token pack "1"\nRefund: USD 1.05')
})
