import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { grant, grantStatements } from '#harness/entitlement.ts'
import { emptyFixture } from '#harness/fixture/empty-fixture.ts'
import { userRow, createAccount, openSession } from '#harness/fixture/account.ts'
import { callOf } from '#harness/fixture/fixture.ts'
import { users } from '../../db/schema/users.ts'
import { listNotices } from '../profile/list-notices.ts'
import { days, minuteInWords } from '../time.ts'
import { remindPlanEnding } from './remind-plan-ending.ts'
import { mailsOf } from '#harness/fixture/rows.ts'

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
  const { userId } = await createAccount(fixture.ctx(), { emailVerifiedAt: 1 })
  await grant(fixture.ctx(), userId, { hasPlan: true })
  const endsAt = fixture.now() + days(365)
  fixture.advance(days(365 - 2))
  await remindPlanEnding(fixture.ctx())
  expect(await mailsOf(fixture.ctx(), userId)).toMatchObject([
    { kind: 'plan_ending', payload: JSON.stringify({ daysLeft: 2, endsAt }) },
  ])
  // The bell shows it for months.
  fixture.advance(days(10))
  const claims = await openSession(fixture.ctx(), userId)
  const { notices } = await listNotices(fixture.ctx(), callOf(claims))
  expect(notices).toMatchObject([{ text: `Your plan ends on ${minuteInWords(endsAt)}.` }])
})

test('a plan that was reversed, or whose user is suspended or gone, is not called to an end', async () => {
  const fixture = await emptyFixture()
  const buyer = async (account = {}) => {
    const { userId } = await createAccount(fixture.ctx(), { emailVerifiedAt: 1, ...account })
    await grant(fixture.ctx(), userId, { hasPlan: true })
    return userId
  }
  const reversed = await buyer()
  await fixture.read(sql`UPDATE purchases SET reversed_at = 1 WHERE user_id = ${reversed}`)
  for (const account of [{ suspendedAt: 1 }, { deletedAt: 1 }]) await buyer(account)
  fixture.advance(days(365 - 13))
  await remindPlanEnding(fixture.ctx())
  expect(
    await fixture.read("SELECT user_id FROM account_events WHERE kind = 'plan_ending'"),
  ).toEqual([])
})
