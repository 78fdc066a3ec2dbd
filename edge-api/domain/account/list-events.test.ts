import { expect, test } from 'vitest'
import { openAccount, openSession } from '../../../tests/harness/world/account.ts'
import { callOf } from '../../../tests/harness/world/world.ts'
import { days } from '../time.ts'
import { recordEvent } from './account-event.ts'
import { listNotices, listSignIns } from './list-events.ts'

test('a notice that is too old to be listed is not counted as unread', async () => {
  const { world, claims } = await openAccount()
  const record = () => {
    const ctx = world.ctx()
    return ctx.db.batch([recordEvent(ctx, { userId: claims.userId, kind: 'tokens_low' })])
  }
  await record()
  world.advance(days(60))
  await record()
  world.advance(days(31))
  const session = await openSession(world.ctx(), claims.userId)
  const { notices, unread } = await listNotices(world.ctx(), callOf(session))
  expect({ listed: notices.length, unread }).toEqual({ listed: 1, unread: 1 })
})

test('a hundred wrong passwords push no sign-in off the list', async () => {
  const { world, claims } = await openAccount()
  const record = (kind: 'signed_in' | 'sign_in_failed', times: number) => {
    const ctx = world.ctx()
    const rows = Array.from({ length: times }, () =>
      recordEvent(ctx, { userId: claims.userId, kind }),
    )
    return ctx.db.batch({ rows })
  }
  await record('signed_in', 1)
  world.advance(days(1))
  await record('sign_in_failed', 100)
  const { events } = await listSignIns(world.ctx(), callOf(claims))
  expect(events[0]?.kind).toBe('sign_in_failed')
  expect(events.at(-1)?.kind).toBe('signed_in')
})
