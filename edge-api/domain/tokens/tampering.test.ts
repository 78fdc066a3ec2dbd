import { sql, type SQL } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { openTampering, type Tampering } from '../../../tests/harness/world/purchase.ts'

const FOLLOWS = 'the balance follows the ledger'

const use = (userId: string, tokens: number, verb = sql`INSERT`) => sql`
  ${verb} INTO ledger (ref, user_id, kind, tokens, payment_mode, created_at)
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
    'replacing it',
    ({ purchase: { userId } }) =>
      sql`INSERT OR REPLACE INTO balances (user_id, payment_mode, total, used) VALUES (${userId}, 'emulator', 9, 0)`,
    FOLLOWS,
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

test('an entry written twice by REPLACE changes the balance once', async () => {
  const { purchase, attempt, outcome } = await openTampering()
  await attempt(use(purchase.userId, -300))
  await attempt(use(purchase.userId, -200, sql`INSERT OR REPLACE`))
  await attempt(use(purchase.userId, -200, sql`INSERT OR REPLACE`))
  expect((await outcome()).paid).toMatchObject({ total: 800_000, used: 500, ledgerSum: 799_500 })
  await expect(
    attempt(sql`UPDATE balances SET used = used + 200 WHERE user_id = ${purchase.userId}`),
  ).rejects.toThrow(FOLLOWS)
})
