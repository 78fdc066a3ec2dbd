import { sql, type SQL } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { openTampering, type Tampering } from '../../../tests/harness/world/purchase.ts'

const FOLLOWS = 'the balance follows the ledger'

const use = (userId: string, tokens: number) => sql`
  INSERT INTO ledger (ref, user_id, kind, tokens, payment_mode, created_at)
  VALUES (${`use:${userId}:${tokens}`}, ${userId}, 'use', ${tokens}, 'emulator', 1)`

const tamperings: [string, (tampering: Tampering) => SQL, string][] = [
  [
    'a total',
    ({ purchase: { userId } }) =>
      sql`UPDATE balances SET total = total + 5000 WHERE user_id = ${userId}`,
    FOLLOWS,
  ],
  [
    'a total by what the latest entry moved already',
    ({ purchase: { userId } }) =>
      sql`UPDATE balances SET total = total - 200000 WHERE user_id = ${userId}`,
    FOLLOWS,
  ],
  [
    'what was used',
    ({ purchase: { userId } }) =>
      sql`UPDATE balances SET used = used + 1 WHERE user_id = ${userId}`,
    FOLLOWS,
  ],
  [
    'which entry moved it last',
    ({ purchase: { userId } }) =>
      sql`UPDATE balances SET last_ref = NULL WHERE user_id = ${userId}`,
    FOLLOWS,
  ],
  [
    'whose it is',
    ({ purchase, stranger }) =>
      sql`UPDATE balances SET user_id = ${stranger.userId} WHERE user_id = ${purchase.userId}`,
    FOLLOWS,
  ],
  [
    'inserting one for another user',
    ({ stranger }) =>
      sql`INSERT INTO balances (user_id, payment_mode, total, used) VALUES (${stranger.userId}, 'emulator', 9, 0)`,
    FOLLOWS,
  ],
  [
    'by a trial of an address that is not proven',
    ({ stranger: { userId } }) => sql`
      INSERT INTO ledger (ref, user_id, kind, tokens, payment_mode, created_at)
      VALUES (${`trial:${userId}`}, ${userId}, 'trial', 20000, 'emulator', 1)`,
    'a trial needs a proven address',
  ],
  [
    'deleting it',
    ({ purchase: { userId } }) => sql`DELETE FROM balances WHERE user_id = ${userId}`,
    'a balance cannot be deleted',
  ],
  [
    'its tokens by half a token',
    ({ purchase: { userId } }) => use(userId, -0.5),
    'tokens are whole numbers',
  ],
  [
    'a shortfall below none',
    ({ purchase }) => sql`INSERT INTO shortfalls VALUES (${purchase.id}, -1, 1)`,
    'CHECK constraint failed: shortfalls_tokens',
  ],
  [
    'a shortfall while tokens are left',
    ({ purchase }) => sql`INSERT INTO shortfalls VALUES (${purchase.id}, 1, 1)`,
    'what is left is taken before it is missed',
  ],
  [
    'a shortfall by half a token',
    ({ purchase }) => sql`INSERT INTO shortfalls VALUES (${purchase.id}, 0.5, 1)`,
    'tokens are whole numbers',
  ],
]

test.each(tamperings)(
  'the database refuses to change a balance: %s',
  async (_what, statementOf, reason) => {
    const tampering = await openTampering()
    const before = await tampering.outcome()
    await expect(tampering.attempt(statementOf(tampering))).rejects.toThrow(reason)
    expect(await tampering.outcome()).toEqual(before)
  },
)

test('a shortfall cannot grow while tokens are left', async () => {
  const { purchase, attempt } = await openTampering()
  await attempt(sql`INSERT INTO shortfalls VALUES (${purchase.id}, 0, 1)`)
  await expect(
    attempt(sql`UPDATE shortfalls SET tokens = 1 WHERE purchase_id = ${purchase.id}`),
  ).rejects.toThrow('what is left is taken before it is missed')
})
