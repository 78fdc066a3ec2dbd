import { scryptSync } from 'node:crypto'
import { sessions } from '../../../edge-api/db/schema/sessions.ts'
import { users } from '../../../edge-api/db/schema/users.ts'
import type { Context } from '../../../edge-api/domain/context.ts'
import type { Claims } from '../../../edge-api/domain/account/signed.ts'
import { acceptedTerms } from '../../../edge-api/domain/account/terms.ts'
import { days } from '../../../edge-api/domain/time.ts'
import { createWorld, type World } from './world.ts'

/** A registered account with a session, created without hashing a password. */
export async function createAccount(
  ctx: Context,
  overrides: Partial<typeof users.$inferInsert> = {},
): Promise<Claims & { email: string }> {
  const user = { ...userRow(ctx, { isVerified: false }), passwordHash: '', ...overrides }
  const session = sessionRow(ctx, user.id)
  await ctx.db.batch([ctx.db.insert(users).values(user), ctx.db.insert(sessions).values(session)])
  return { userId: user.id, sessionId: session.id, email: user.email }
}

/** A world with one account in it. */
export async function openAccount(overrides: Parameters<typeof createAccount>[1] = {}) {
  const world = createWorld()
  return { world, claims: await createAccount(world.ctx(), overrides) }
}

/** A world, and what was made in it. */
export async function worldWith<Made>(make: (world: World) => Promise<Made>) {
  const world = createWorld()
  return [world, await make(world)] as const
}

/** A new session of an account. */
export async function openSession(ctx: Context, userId: string): Promise<Claims> {
  const session = sessionRow(ctx, userId)
  await ctx.db.batch([ctx.db.insert(sessions).values(session)])
  return { userId, sessionId: session.id }
}

/** The hash of the password in member.ts. */
const PASSWORD_HASH =
  '$scrypt$ln=15,r=8,p=3$dGVzdHMtb25seS1zYWx0IQ$29Wik4SMCIc1eByI6+HYToZurp7EB/IPAMUYRBWQ7j8'

/** A hash of the password in member.ts that takes a millisecond, for tests that are not about the time of hashing. */
export function cheapHash(typedSalt = 'sixteen-byte-salt', password = 'Quiet-Otter-42'): string {
  const salt = Buffer.from(typedSalt).subarray(0, 16)
  const hash = scryptSync(password, salt, 32, { N: 2 ** 10, r: 8, p: 1 })
  const text = (part: Buffer) => part.toString('base64').replaceAll('=', '')
  return `$scrypt$ln=10,r=8,p=1$${text(salt)}$${text(hash)}`
}

type Ids = Pick<Context, 'newId' | 'now'>

/** A user row as registering would make it. */
export function userRow({ newId, now }: Ids, { isVerified }: { isVerified: boolean }) {
  const id = newId('usr')
  const username = `m_${id.slice(-20)}`
  return {
    id,
    username,
    usernameKey: username,
    email: `${username}@example.test`,
    emailKey: `${username}@example.test`,
    passwordHash: PASSWORD_HASH,
    emailVerifiedAt: isVerified ? now : null,
    ...acceptedTerms(now),
    createdAt: now,
    updatedAt: now,
  }
}

/** A session that lasts 30 days. */
export function sessionRow({ newId, now }: Ids, userId: string) {
  return {
    id: newId('ses'),
    userId,
    kind: 'browser' as const,
    device: 'Firefox on Linux',
    ipPrefix: '192.0.2.0/24',
    isRemembered: true,
    createdAt: now,
    lastUsedAt: now,
    confirmedAt: now,
    expiresAt: now + days(30),
  }
}
