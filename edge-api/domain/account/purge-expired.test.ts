import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSqld, type Sqld } from '../../../tests/harness/sqld.ts'
import { createAccount } from '../../../tests/harness/world/account.ts'
import { createWorld } from '../../../tests/harness/world/world.ts'
import { mails } from '../../db/schema/records.ts'
import { verifyAddressMessage } from '../mail/account-messages.ts'
import { enqueueMail } from '../mail/outbox.ts'
import { days } from '../time.ts'
import { recordEvent } from './account-event.ts'
import { purgeExpired } from './purge-expired.ts'

// A database of its own: what has expired goes, whoever it belonged to.
const state: { sqld?: Sqld } = {}
beforeAll(async () => {
  state.sqld = await startSqld()
})
afterAll(() => state.sqld?.stop())

test('what is over for long enough goes; people, and mail that still waits, stay', async () => {
  const world = createWorld({ databaseUrl: state.sqld?.url ?? '' })
  const ctx = world.ctx()
  const { userId } = await createAccount(ctx)
  const message = verifyAddressMessage(ctx.brand, 'https://sotto.example/verify-email/x')
  const mail = (id: string) => enqueueMail(ctx, message, { id, to: 'a@example.test', userId })
  await ctx.db.batch([
    mail('sent'),
    mail('given-up'),
    mail('waiting'),
    ctx.db
      .update(mails)
      .set({ dueAt: null, sentAt: ctx.now })
      .where(sql`id = 'sent'`),
    ctx.db
      .update(mails)
      .set({ dueAt: null, failedAt: ctx.now })
      .where(sql`id = 'given-up'`),
    recordEvent(ctx, { userId, kind: 'signed_in' }),
  ])
  const count = async () => {
    const { db } = world.ctx()
    const [rows] = await db.batch([
      db.all<Record<string, number>>(sql`
        SELECT (SELECT count(*) FROM mails) AS mails, (SELECT count(*) FROM sessions) AS sessions,
               (SELECT count(*) FROM account_events) AS events, (SELECT count(*) FROM users) AS users`),
    ])
    return rows[0]
  }
  world.advance(days(29))
  await purgeExpired(world.ctx())
  expect(await count()).toEqual({ mails: 3, sessions: 1, events: 1, users: 1 })
  world.advance(days(62))
  await purgeExpired(world.ctx())
  expect(await count()).toEqual({ mails: 1, sessions: 0, events: 0, users: 1 })
})
