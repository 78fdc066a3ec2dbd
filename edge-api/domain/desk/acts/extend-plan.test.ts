import { userOf } from '../../../../tests/harness/world/rows.ts'
import { expect, test } from 'vitest'
import type { Act } from '../../../../src/contract/desk-acts.ts'
import { DESK_ACT } from '../../../../src/contract/desk-acts.ts'
import { grantStatements } from '../../../../tests/harness/holding.ts'
import { createAccount, openSession } from '../../../../tests/harness/world/account.ts'
import { deskOf } from '../../../../tests/harness/world/desk.ts'
import { callOf, createWorld } from '../../../../tests/harness/world/world.ts'
import { listNotices } from '../../account/list-events.ts'
import { me } from '../../account/update-profile.ts'
import { days } from '../../time.ts'

test('a plan is extended as shown, once for two clicks, also after its end, and its user is notified', async () => {
  const world = createWorld({ now: Date.UTC(2030, 0, 1) })
  const ctx = world.ctx()
  const claims = await createAccount(ctx)
  const { userId } = claims
  const desk = deskOf(world)
  const extend = (added: number): Act => ({ kind: 'extend_plan', userId, days: added })
  await expect(desk.preview(extend(30))).rejects.toThrow(DESK_ACT.noPlan)

  const user = await userOf(ctx, userId)
  await ctx.db.batch({ plan: grantStatements(ctx, user, { hasPlan: true }) })
  const endOf = async () =>
    (await me(world.ctx(), callOf(claims))).user.subscription.currentPeriodEnd?.slice(0, 10)
  expect(await endOf()).toBe('2031-01-01')

  const shown = await desk.preview(extend(30))
  expect(shown[0]).toBe('The plan ends on 31 January 2031 instead of 1 January 2031.')
  expect(await endOf()).toBe('2031-01-01')
  const clicks = [1, 2].map(() => desk.carryOut(extend(30), shown))
  expect((await Promise.allSettled(clicks)).map(({ status }) => status).toSorted()).toEqual([
    'fulfilled',
    'rejected',
  ])
  expect(await endOf()).toBe('2031-01-31')
  const entries = await desk.entries(userId)
  expect(entries.map(({ kind, changes }) => [kind, changes])).toEqual([
    ['extend_plan', JSON.stringify(shown)],
  ])
  const { notices } = await listNotices(world.ctx(), callOf(claims))
  expect(notices.map(({ text }) => text)).toEqual([
    'Our support team extended your plan until 31 January 2031.',
  ])

  // The plan has been over for five days, and the session too.
  world.advance(days(400))
  await expect(desk.preview(extend(5))).rejects.toThrow(DESK_ACT.endsAnyway)
  await desk.carryOut(extend(6))
  const again = await openSession(world.ctx(), userId)
  expect((await me(world.ctx(), callOf(again))).user.subscription.status).toBe('active')
})
