import { createClient } from '@libsql/client/web'
import { drizzleAdapter } from 'better-auth/adapters/drizzle'
import { betterAuth } from 'better-auth/minimal'
import { drizzle } from 'drizzle-orm/libsql/web'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

const time = (name: string) => integer(name, { mode: 'timestamp_ms' }).notNull()
const id = () => text('id').primaryKey()
const userId = () =>
  text('userId')
    .notNull()
    .references(() => user.id)

const user = sqliteTable('user', {
  id: id(),
  name: text('name').notNull(),
  email: text('email').notNull().unique(),
  emailVerified: integer('emailVerified', { mode: 'boolean' }).notNull(),
  image: text('image'),
  createdAt: time('createdAt'),
  updatedAt: time('updatedAt'),
})

const session = sqliteTable('session', {
  id: id(),
  expiresAt: time('expiresAt'),
  token: text('token').notNull().unique(),
  createdAt: time('createdAt'),
  updatedAt: time('updatedAt'),
  ipAddress: text('ipAddress'),
  userAgent: text('userAgent'),
  userId: userId(),
})

const account = sqliteTable('account', {
  id: id(),
  accountId: text('accountId').notNull(),
  providerId: text('providerId').notNull(),
  userId: userId(),
  accessToken: text('accessToken'),
  refreshToken: text('refreshToken'),
  idToken: text('idToken'),
  accessTokenExpiresAt: integer('accessTokenExpiresAt', { mode: 'timestamp_ms' }),
  refreshTokenExpiresAt: integer('refreshTokenExpiresAt', { mode: 'timestamp_ms' }),
  scope: text('scope'),
  password: text('password'),
  createdAt: time('createdAt'),
  updatedAt: time('updatedAt'),
})

const verification = sqliteTable('verification', {
  id: id(),
  identifier: text('identifier').notNull(),
  value: text('value').notNull(),
  expiresAt: time('expiresAt'),
  createdAt: time('createdAt'),
  updatedAt: time('updatedAt'),
})

/**
 * better-auth as its documentation has it for a Worker: sessions in the database, a signed cookie, no copy of the session in
 * a cookie. Its rate limit and its log are off.
 */
const authOf = (databaseUrl: string, baseURL: string) =>
  betterAuth({
    database: drizzleAdapter(drizzle({ client: createClient({ url: databaseUrl }) }), {
      provider: 'sqlite',
      schema: { user, session, account, verification },
    }),
    baseURL,
    basePath: '/api/bare/auth',
    secret: 'benchmark-only-0123456789-abcdefghijklmnopqrstuvwxyz',
    emailAndPassword: { enabled: true },
    session: { cookieCache: { enabled: false } },
    rateLimit: { enabled: false },
    logger: { disabled: true },
  })

let auth: ReturnType<typeof authOf> | undefined

/** Answers a request below `/api/bare/auth`. */
export function answerAuth(request: Request, databaseUrl: string): Promise<Response> {
  auth ??= authOf(databaseUrl, new URL(request.url).origin)
  return auth.handler(request)
}
