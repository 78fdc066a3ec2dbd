import { sql } from 'drizzle-orm'
import { accountEvents } from '../../db/schema/records.ts'
import { users } from '../../db/schema/users.ts'
import type { Context } from '../context.ts'
import type { Identity } from '../ports/identity.ts'
import type { KeepPass } from '../session/sign-in-pass.ts'
import { accountEventRow } from './account-event.ts'
import { accountKey } from './account-key.ts'

interface Making {
  username: string
  identity: Identity
  keep: KeepPass
}

/**
 * Makes an account for somebody Google vouches for: its address is verified, and it has no password
 * until one is set by mail. False when name or address were taken meanwhile.
 */
export async function makeGoogleAccount(ctx: Context, making: Making): Promise<boolean> {
  const { username, identity, keep } = making
  const user = {
    id: ctx.newId('usr'),
    username,
    usernameKey: accountKey(username),
    email: identity.email,
    emailKey: accountKey(identity.email),
    passwordHash: '',
    firstName: identity.firstName,
    lastName: identity.lastName,
    googleSubject: identity.subject,
    emailVerifiedAt: ctx.now,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  }
  const event = accountEventRow(ctx, { userId: user.id, kind: 'registered' })
  const { kept } = await ctx.db.batch({
    user: ctx.db.insert(users).values(user).onConflictDoNothing(),
    event: ctx.db.run(sql`
      INSERT INTO ${accountEvents} (id, user_id, kind, detail, device, ip_prefix, created_at)
      SELECT ${event.id}, u.id, ${event.kind}, ${event.detail}, ${event.device}, ${event.ipPrefix},
             ${ctx.now}
      FROM users u WHERE u.id = ${user.id}`),
    kept: keep,
  })
  return kept.rowsAffected === 1
}
