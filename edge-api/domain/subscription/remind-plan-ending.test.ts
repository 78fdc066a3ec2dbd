import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { grantStatements } from '../../../tests/harness/entitlement.ts'
import { emptyFixture } from '../../../tests/harness/fixture/empty-fixture.ts'
import { userRow } from '../../../tests/harness/fixture/account.ts'
import { purchases } from '../../db/schema/purchases.ts'
import { users } from '../../db/schema/users.ts'
import { days } from '../time.ts'
import { remindPlanEnding } from './remind-plan-ending.ts'

test('one run notifies every user whose plan ends soon, once for each step', async () => {
  const fixture = await emptyFixture()
  const ctx = fixture.ctx()
  const buyers = Array.from({ length: 201 }, () => userRow(ctx, { isVerified: true }))
  await ctx.db.batch({
    users: buyers.map((user) => ctx.db.insert(users).values(user)),
    plans: buyers.flatMap((user) => grantStatements(ctx, user, { hasPlan: true })),
  })
  const setReminders = (value: number) =>
    fixture.read(sql`UPDATE users SET mail_reminders = ${value} WHERE id = ${buyers[0]?.id ?? ''}`)
  await setReminders(0)
  const notified = async () => {
    const [row] = await fixture.read(`
      SELECT (SELECT count(*) FROM account_events WHERE kind = 'plan_ending') AS notices,
             (SELECT count(*) FROM mails WHERE kind = 'plan_ending') AS mails`)
    return row
  }
  const run = () => remindPlanEnding(fixture.ctx())
  fixture.advance(days(365 - 15))
  await run()
  expect(await notified()).toEqual({ notices: 0, mails: 0 })
  fixture.advance(days(2))
  await run()
  await run()
  expect(await notified()).toEqual({ notices: 201, mails: 200 })
  // A user who switches reminders on again gets none for a step that is over.
  await setReminders(1)
  await run()
  expect(await notified()).toEqual({ notices: 201, mails: 200 })
  await setReminders(0)
  fixture.advance(days(11))
  await run()
  await run()
  expect(await notified()).toEqual({ notices: 402, mails: 400 })
  fixture.advance(days(10))
  await run()
  expect(await notified()).toEqual({ notices: 402, mails: 400 })
})

test('a user who was not notified two weeks before the end is notified once', async () => {
  const fixture = await emptyFixture()
  const ctx = fixture.ctx()
  const buyer = userRow(ctx, { isVerified: true })
  await ctx.db.batch({
    user: ctx.db.insert(users).values(buyer),
    plan: grantStatements(ctx, buyer, { hasPlan: true }),
  })
  fixture.advance(days(365 - 2))
  await remindPlanEnding(fixture.ctx())
  expect(await fixture.read("SELECT id FROM mails WHERE kind = 'plan_ending'")).toHaveLength(1)
})

test('a plan that was reversed, or whose user is suspended or gone, is not called to an end', async () => {
  const fixture = await emptyFixture()
  const ctx = fixture.ctx()
  const [reversed, suspended, deleted] = [
    userRow(ctx, { isVerified: true }),
    userRow(ctx, { isVerified: true }),
    { ...userRow(ctx, { isVerified: true }), deletedAt: ctx.now },
  ]
  const buyers = [reversed, suspended, deleted]
  await ctx.db.batch({
    users: buyers.map((user) => ctx.db.insert(users).values(user)),
    plans: buyers.flatMap((user) => grantStatements(ctx, user, { hasPlan: true })),
    suspension: ctx.db
      .update(users)
      .set({ suspendedAt: ctx.now })
      .where(eq(users.id, suspended.id)),
    reversal: ctx.db
      .update(purchases)
      .set({ reversedAt: ctx.now })
      .where(eq(purchases.userId, reversed.id)),
  })
  fixture.advance(days(365 - 13))
  await remindPlanEnding(fixture.ctx())
  expect(
    await fixture.read("SELECT user_id FROM account_events WHERE kind = 'plan_ending'"),
  ).toEqual([])
})
