import { expect, test } from 'vitest'
import { openAccount, openSession } from '../../../tests/harness/world/account.ts'
import { callOf } from '../../../tests/harness/world/world.ts'
import { days } from '../time.ts'
import { recordEvent } from './account-event.ts'
import { listNotices } from './list-events.ts'

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
