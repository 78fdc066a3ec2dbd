import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createAccount } from '../../../tests/harness/world/account.ts'
import { createWorld, NO_INPUT } from '../../../tests/harness/world/world.ts'
import { sessions } from '../../db/schema/sessions.ts'
import { minutes } from '../time.ts'
import { recordUsageSession } from '../tokens/record-usage-session.ts'
import { useTokens } from '../tokens/use-tokens.ts'

test('reporting usage moves the time when a session was last used', async () => {
  const world = createWorld()
  const claims = await createAccount(world.ctx())
  const lastUsed = async () => {
    await world.drain()
    const { db } = world.ctx()
    const [rows] = await db.batch([
      db.select().from(sessions).where(eq(sessions.id, claims.sessionId)),
    ])
    return rows[0]?.lastUsedAt
  }
  world.advance(minutes(6))
  const start = { event: 'start', sessionId: 'session-1', mode: 'meeting' } as const
  await recordUsageSession(world.ctx(), { ...NO_INPUT, claims, body: start })
  expect(await lastUsed()).toBe(world.now())
  world.advance(minutes(6))
  const use = useTokens(world.ctx(), { ...NO_INPUT, claims, body: { amount: 1 } })
  await expect(use).rejects.toMatchObject({ code: 'INSUFFICIENT_TOKENS' })
  expect(await lastUsed()).toBe(world.now())
})
