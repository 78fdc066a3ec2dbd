import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createAccount } from '../../../tests/harness/world/account.ts'
import { type MemoryWorld, memoryWorld } from '../../../tests/harness/world/memory-world.ts'
import { NO_INPUT } from '../../../tests/harness/world/world.ts'
import { DAILY_LIMITS } from '../../../src/contract/limits.ts'
import { users } from '../../db/schema/users.ts'
import { newMailedLink, storeLinkFrom } from '../account/mailed-link.ts'
import { verifyEmail } from '../account/verify-email.ts'
import { resolveIdentity } from '../session/resolve-identity.ts'

/** Follows the link in the mail to a new account. Its row is written directly: registering counts each network by itself. */
async function comeByMail(world: MemoryWorld, email: string) {
  const ctx = world.ctx()
  const { userId } = await createAccount(ctx, { email, emailKey: email })
  const link = await newMailedLink(ctx, 'verify')
  const owner = sql`FROM ${users} WHERE ${users.id} = ${userId}`
  await ctx.db.batch([storeLinkFrom(ctx, link, owner)])
  await verifyEmail(world.ctx(), { ...NO_INPUT, params: { token: link.secret } })
}

async function comeWithGoogle(world: MemoryWorld, email: string) {
  await resolveIdentity(world.ctx(), {
    subject: `subject of ${email}`,
    email,
    isEmailVerified: true,
    name: '',
    firstName: null,
    lastName: null,
  })
}

test('a script that signs 1,000 people up from one network in an hour gets as many trials as a network has', async () => {
  // At noon: an hour that two days share has the trials of both.
  const world = memoryWorld({ now: Date.UTC(2026, 10, 22, 12) })
  for (let made = 0; made < 1_000; made += 1) {
    const come = made % 2 === 0 ? comeByMail : comeWithGoogle
    await come(world, `p${made}@example.test`)
    world.advance(3_600)
  }
  const [row] = world.read(`
    SELECT (SELECT count(*) FROM users WHERE email_verified_at IS NOT NULL) AS people,
      (SELECT count(*) FROM ledger WHERE kind = 'trial') AS trials`)
  console.log(`1,000 sign-ups from one network in an hour: ${String(row?.['trials'])} trials`)
  expect(row).toEqual({ people: 1_000, trials: DAILY_LIMITS.networkTrial })
})
