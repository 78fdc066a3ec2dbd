import { asc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSqld, type Sqld } from '../../../tests/harness/services.ts'
import { createWorld, type World } from '../../../tests/harness/world/world.ts'
import { mails } from '../../db/schema/records.ts'
import { hours, minutes, seconds } from '../time.ts'
import { resetPasswordMessage } from './account-messages.ts'
import { deliverDueMail } from './deliver-mail.ts'
import type { OutgoingMail } from '../ports/mailer.ts'
import { enqueueMail } from './outbox.ts'

// A database of its own: whoever delivers takes whatever is due.
const state: { sqld?: Sqld } = {}
beforeAll(async () => {
  state.sqld = await startSqld()
})
afterAll(() => state.sqld?.stop())

interface PostOffice {
  sent: OutgoingMail[]
  /** Refuses this many mails first. */
  refuse: (count: number) => void
  deliver: () => Promise<void>
  post: () => Promise<string>
  row: (id: string) => Promise<typeof mails.$inferSelect>
}

const LINK = 'https://sotto.example/reset-password/the-secret-part'

function openPostOffice(world: World, { isLocal = false } = {}): PostOffice {
  const sent: OutgoingMail[] = []
  let refusals = 0
  const mailer = {
    send: (mail: OutgoingMail) => {
      if (refusals-- > 0) return Promise.reject(new TypeError('secret text of the provider'))
      sent.push(mail)
      return Promise.resolve()
    },
  }
  const ctx = () => ({ ...world.ctx(), mailer, isLocal })
  return {
    sent,
    refuse: (count) => {
      refusals = count
    },
    deliver: () => deliverDueMail(ctx()),
    post: async () => {
      const id = world.ctx().newId('mail')
      const to = `${id}@example.test`
      const message = resetPasswordMessage(ctx().brand, LINK)
      await ctx().db.batch([enqueueMail(ctx(), message, { id, to, userId: null })])
      return id
    },
    row: async (id) => {
      const { db } = ctx()
      const [rows] = await db.batch([db.select().from(mails).where(eq(mails.id, id))])
      const [row] = rows
      if (row === undefined) throw new Error('no such mail')
      return row
    },
  }
}

const newWorld = () => createWorld({ databaseUrl: state.sqld?.url ?? '' })

test('R7 a mail that is not taken is tried again with growing pauses and sent once', async () => {
  const world = newWorld()
  const office = openPostOffice(world)
  const id = await office.post()
  office.refuse(2)
  await office.deliver()
  expect(await office.row(id)).toMatchObject({ attempts: 1, sentAt: null, lastError: 'TypeError' })
  await office.deliver()
  expect(await office.row(id)).toMatchObject({ attempts: 1 })
  world.advance(seconds(30))
  await office.deliver()
  expect(await office.row(id)).toMatchObject({ attempts: 2, sentAt: null })
  world.advance(seconds(59))
  await office.deliver()
  expect(office.sent).toEqual([])
  world.advance(seconds(1))
  await office.deliver()
  await office.deliver()
  expect(office.sent.map((mail) => mail.id)).toEqual([id])
  expect(await office.row(id)).toMatchObject({ sentAt: world.now(), dueAt: null, lastError: null })
})

test('R7 two deliveries at once send each mail once', async () => {
  const world = newWorld()
  const office = openPostOffice(world)
  const ids = await Promise.all(Array.from({ length: 12 }, office.post))
  await Promise.all([office.deliver(), office.deliver(), office.deliver()])
  expect(office.sent.map((mail) => mail.id).toSorted()).toEqual(ids.toSorted())
})

test('R7 a sender that died gives its mails free after two minutes', async () => {
  const world = newWorld()
  const office = openPostOffice(world)
  const id = await office.post()
  const { db } = world.ctx()
  const claimed = db.update(mails).set({ claimedUntil: world.now() + minutes(2) })
  await db.batch([claimed.where(eq(mails.id, id))])
  await office.deliver()
  expect(office.sent).toEqual([])
  world.advance(minutes(2))
  await office.deliver()
  expect(office.sent.map((mail) => mail.id)).toEqual([id])
})

test("R4 the secret of a mail is wiped once it was sent, but not on a developer's machine", async () => {
  const world = newWorld()
  const office = openPostOffice(world)
  const id = await office.post()
  expect((await office.row(id)).text).toContain(LINK)
  await office.deliver()
  const { text, html } = await office.row(id)
  expect(text + html).not.toContain('the-secret-part')
  const local = openPostOffice(world, { isLocal: true })
  const kept = await local.post()
  await local.deliver()
  expect((await local.row(kept)).text).toContain(LINK)
})

test('a mail is given up after 24 hours: its secret goes and the operator hears of it', async () => {
  const world = newWorld()
  const office = openPostOffice(world)
  const id = await office.post()
  world.advance(hours(24))
  office.refuse(1)
  await office.deliver()
  const row = await office.row(id)
  expect(row).toMatchObject({ dueAt: null, failedAt: world.now(), sentAt: null })
  expect(row.text + row.html).not.toContain('the-secret-part')
  expect(world.alerts).toEqual([
    {
      event: 'mail given up',
      fields: expect.objectContaining({ mailId: id, reason: 'TypeError' }),
    },
  ])
  expect(JSON.stringify(world.alerts)).not.toContain('secret text')
})

test('the same id is kept once: one cause, one mail', async () => {
  const world = newWorld()
  const ctx = world.ctx()
  const message = resetPasswordMessage(ctx.brand, LINK)
  const recipient = { id: ctx.newId('mail'), to: 'a@example.test', userId: null }
  const twice = { ...recipient, to: 'b@example.test' }
  await ctx.db.batch([enqueueMail(ctx, message, recipient), enqueueMail(ctx, message, twice)])
  const [rows] = await ctx.db.batch([
    ctx.db.select().from(mails).where(eq(mails.id, recipient.id)).orderBy(asc(mails.id)),
  ])
  expect(rows.map((row) => row.toAddress)).toEqual(['a@example.test'])
})
