import { sessions } from '../../../edge-api/db/schema/sessions.ts'
import { users } from '../../../edge-api/db/schema/users.ts'
import type { Context } from '../../../edge-api/domain/context.ts'
import type { Claims } from '../../../edge-api/domain/session/bearer.ts'

const DAY_MS = 86_400_000

/** A registered account with a session, without typing a password. */
export async function createAccount(
  ctx: Context,
  overrides: Partial<typeof users.$inferInsert> = {},
): Promise<Claims> {
  const userId = ctx.newId('usr')
  const sessionId = ctx.newId('ses')
  const name = userId.slice(-20)
  await ctx.db.batch([
    ctx.db.insert(users).values({
      id: userId,
      username: name,
      usernameKey: name,
      email: `${name}@example.test`,
      emailKey: `${name}@example.test`,
      passwordHash: '',
      createdAt: ctx.now,
      updatedAt: ctx.now,
      ...overrides,
    }),
    ctx.db.insert(sessions).values({
      id: sessionId,
      userId,
      kind: 'browser',
      device: 'Firefox on Linux',
      ipPrefix: '192.0.2.0/24',
      isRemembered: true,
      createdAt: ctx.now,
      lastUsedAt: ctx.now,
      expiresAt: ctx.now + 30 * DAY_MS,
    }),
  ])
  return { userId, sessionId }
}
