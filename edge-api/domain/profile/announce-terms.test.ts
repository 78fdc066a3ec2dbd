import { expect, test } from 'vitest'
import { sessionRow, userRow } from '#harness/fixture/account.ts'
import { emptyFixture } from '#harness/fixture/empty-fixture.ts'
import { callOf } from '#harness/fixture/fixture.ts'
import { sessions } from '../../db/schema/sessions.ts'
import { users } from '../../db/schema/users.ts'
import { days, minutes } from '../time.ts'
import { announceTerms } from './announce-terms.ts'
import { TERMS } from '../account/terms.ts'
import { me } from './me.ts'
import { acceptTerms } from './update-profile.ts'
import { userOf } from '#harness/fixture/rows.ts'

test('new terms are announced once, page by page, and asked for 30 days later', async () => {
  const fixture = await emptyFixture()
  const ctx = fixture.ctx()
  const old = { termsVersion: '2020-01-01', termsAnnouncedVersion: '2020-01-01' }
  const newRow = (more = {}) => ({ ...userRow(ctx, { isVerified: true }), ...more })
  const first = newRow(old)
  const others = Array.from({ length: 249 }, () => newRow(old))
  const isNew = newRow()
  const isDeleted = newRow({ ...old, deletedAt: ctx.now })
  const session = sessionRow(ctx, first.id)
  session.expiresAt += days(30)
  await ctx.db.batch({
    users: [first, ...others, isNew, isDeleted].map((user) => ctx.db.insert(users).values(user)),
    session: ctx.db.insert(sessions).values(session),
  })
  const call = callOf({ userId: first.id, sessionId: session.id })
  const isAsked = async () => (await me(fixture.ctx(), call)).user.mustAcceptTerms
  const announced = () => fixture.read("SELECT to_address FROM mails WHERE kind = 'terms_changed'")

  // The first run has time for one page only; the next one goes on.
  const clock = [ctx.now]
  await announceTerms({ ...fixture.ctx(), clock: () => clock.shift() ?? ctx.now + 1 }, ctx.now + 1)
  expect(
    await fixture.read("SELECT 1 FROM users WHERE terms_told_version = '2020-01-01'"),
  ).toHaveLength(51)
  await Promise.all([announceTerms(fixture.ctx()), announceTerms(fixture.ctx())])
  await announceTerms(fixture.ctx())
  expect(await announced()).toHaveLength(250)
  expect(await announced()).not.toContainEqual({ to_address: isNew.email })
  expect(await announced()).not.toContainEqual({ to_address: isDeleted.email })

  fixture.advance(days(30) - 1)
  expect(await isAsked()).toBe(false)
  fixture.advance(1)
  expect(await isAsked()).toBe(true)
  expect((await acceptTerms(fixture.ctx(), call)).user.mustAcceptTerms).toBe(false)
  const accepted = { termsVersion: TERMS.version, termsAcceptedAt: fixture.now() }
  expect(await userOf(fixture.ctx(), first.id)).toMatchObject(accepted)
})

test('the mails of one page become due a minute after those of the page before, so that others need not wait', async () => {
  const fixture = await emptyFixture()
  const ctx = fixture.ctx()
  const old = { termsAnnouncedVersion: '2020-01-01' }
  const rows = Array.from({ length: 201 }, () => ({
    ...userRow(ctx, { isVerified: true }),
    ...old,
  }))
  await ctx.db.batch({ users: rows.map((user) => ctx.db.insert(users).values(user)) })
  await announceTerms(ctx)
  expect(
    await fixture.read(
      'SELECT m.due_at AS due, count(*) AS mails FROM mails m JOIN users u ON u.id = m.user_id AND m.created_at = u.terms_told_at GROUP BY 1 ORDER BY 1',
    ),
  ).toEqual([
    { due: ctx.now, mails: 200 },
    { due: ctx.now + minutes(1), mails: 1 },
  ])
})
