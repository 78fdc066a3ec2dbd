import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { grant } from '../../../tests/harness/holding.ts'
import { createAccount } from '../../../tests/harness/world/account.ts'
import { emptyWorld, type EmptyWorld } from '../../../tests/harness/world/empty-world.ts'
import type { users } from '../../db/schema/users.ts'
import { notifyLowTokens } from './notify-low-tokens.ts'

async function use(world: EmptyWorld, userId: string, tokens: number) {
  const { db, newId } = world.ctx()
  await db.batch([
    db.run(sql`
      INSERT INTO ledger (ref, user_id, kind, tokens, payment_mode, created_at)
      VALUES (${newId('use')}, ${userId}, 'use', ${-tokens}, 'emulator', 1)`),
  ])
}

/** A new account with `total` tokens in the emulator's mode; `used` of them are used. */
async function member(
  world: EmptyWorld,
  [total, used]: readonly [number, number],
  options: Partial<typeof users.$inferInsert> = {},
) {
  world.advance(1_000)
  const { userId } = await createAccount(world.ctx(), options)
  await grant(world.ctx(), userId, { tokens: total })
  await use(world, userId, used)
  return userId
}

const FEW = [100_000, 90_001] as const

const told = async (world: EmptyWorld) => ({
  notices: await world.read(`SELECT user_id, detail FROM account_events WHERE kind = 'tokens_low'`),
  mails: await world.read(`SELECT user_id, to_address, sent_at FROM mails`),
  notedFor: await world.read('SELECT user_id FROM balances WHERE low_notified_total <> 0'),
})
const NOBODY = { notices: [], mails: [], notedFor: [] }

test('no notice is about another payment mode or a deleted account', async () => {
  const world = await emptyWorld()
  const userId = await member(world, FEW)
  await notifyLowTokens(world.ctxOf('live'), userId)
  await notifyLowTokens(world.ctx(), await member(world, FEW, { deletedAt: 1 }))
  expect(await told(world)).toEqual(NOBODY)
})
