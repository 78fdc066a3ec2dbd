import { inject } from 'vitest'
import type { Context } from '../../edge-api/domain/context.ts'
import { signBearer } from '../../edge-api/domain/crypto/sign.ts'
import { grantStatements, type Entitlement } from './entitlement.ts'
import { sessionRow, userRow } from './fixture/account.ts'
import { testSecrets } from './services.ts'
import { type CallOptions, newVisitor, type Visitor } from './visitor.ts'
import { createFixture } from './fixture/fixture.ts'
import { sessions } from '../../edge-api/db/schema/sessions.ts'
import { users } from '../../edge-api/db/schema/users.ts'

/** A user with an account and a session, who calls from an IP address of their own. */
export interface TestUser extends Visitor {
  userId: string
  sessionId: string
  username: string
  email: string
  password: string
  bearer: string
}

export interface TestUserOptions extends Entitlement {
  isVerified?: boolean
  /** A site other than the run's. */
  siteUrl?: string
  databaseUrl?: string
}

/** The password of every account made here. Its hash is a constant, because hashing is slow. */
export const PASSWORD = 'Quiet-Otter-42'

const [kid = '', secret = ''] = testSecrets.JWT_SECRETS.split(':')

/** Creates an account with a session as database rows, without calling the API. */
export async function createUser(options: TestUserOptions = {}): Promise<TestUser> {
  const { siteUrl = inject('siteUrl'), databaseUrl = inject('databaseUrl') } = options
  // Outside of tests nothing is injected, so the time is passed in.
  const ctx = createFixture({ databaseUrl, now: Date.now() }).ctx()
  const user = userRow(ctx, { isVerified: options.isVerified ?? true })
  const session = sessionRow(ctx, user.id)
  await ctx.db.batch([
    ctx.db.insert(users).values(user),
    ctx.db.insert(sessions).values(session),
    ...grantStatements(ctx, user, options),
  ])
  const bearer = await bearerFor(ctx, session)
  const visitor = newVisitor(siteUrl)
  return {
    ...visitor,
    userId: user.id,
    sessionId: session.id,
    username: user.username,
    email: user.email,
    password: PASSWORD,
    bearer,
    call: (path, call = {}) => visitor.call(path, { bearer, ...call }),
  }
}

/** The same account on another device. */
export async function signInAgain(
  user: TestUser,
  place: Pick<TestUserOptions, 'siteUrl' | 'databaseUrl'> = {},
): Promise<TestUser> {
  const { siteUrl = inject('siteUrl'), databaseUrl = inject('databaseUrl') } = place
  const ctx = createFixture({ databaseUrl }).ctx()
  const session = sessionRow(ctx, user.userId)
  await ctx.db.batch([ctx.db.insert(sessions).values(session)])
  const bearer = await bearerFor(ctx, session)
  const { address, call } = newVisitor(siteUrl)
  const asDevice = (path: string, options: CallOptions = {}) => call(path, { bearer, ...options })
  return { ...user, sessionId: session.id, bearer, address, call: asDevice }
}

function bearerFor(ctx: Context, session: ReturnType<typeof sessionRow>): Promise<string> {
  return signBearer(
    [{ kid, secret: new TextEncoder().encode(secret) }],
    { userId: session.userId, sessionId: session.id },
    { now: ctx.now, expiresAt: session.expiresAt },
  )
}
