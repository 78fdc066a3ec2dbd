import { and, eq, gt, isNull, ne, notInArray, type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import type { ErrorCode } from '../../../src/contract/errors.ts'
import {
  DESKTOP_IDLE_DAYS,
  DESKTOP_SESSION_DAYS,
  SESSION_HOURS,
  SESSION_REMEMBERED_DAYS,
} from '../../../src/contract/limits.ts'
import { AUTH } from '../../../src/contract/messages.ts'
import { insertFrom } from '../../db/insert-from.ts'
import { deviceRequests, mailedLinks, sessions, signInTickets } from '../../db/schema/sessions.ts'
import { users } from '../../db/schema/users.ts'
import type { Context } from '../context.ts'
import { ApiError } from '../api-error.ts'
import { days, hours, minutes } from '../time.ts'

// What opens a session, what keeps it open and what ends it.

type Session = typeof sessions.$inferSelect

/** In SQL, whether a row of `users` may be signed in to. */
export const isUsable = and(
  isNull(users.deletedAt),
  isNull(users.suspendedAt),
  isNull(users.lockedAt),
)

type SuspensionAndLock = Pick<typeof users.$inferSelect, 'suspendedAt' | 'lockedAt'>

/** Why nobody may sign in to an account; null when its user may. */
export function barOf({ suspendedAt, lockedAt }: SuspensionAndLock): 'suspended' | 'locked' | null {
  if (suspendedAt !== null) return 'suspended'
  return lockedAt === null ? null : 'locked'
}

/** Rejects a sign-in to a suspended or locked account, and says which. Call it once the user has proved who they are. */
export function requireUsable(user: SuspensionAndLock, code: ErrorCode, extra = {}) {
  const bar = barOf(user)
  if (bar !== null) throw new ApiError(code, AUTH[bar], { extra })
}

/** In SQL, whether a row of `sessions` has neither ended nor expired. */
export function isOpen(now: number | SQLWrapper) {
  return and(isNull(sessions.endedAt), gt(sessions.expiresAt, now))
}

interface SignedIn {
  userId: string | SQLWrapper
  sessionId: string | SQLWrapper
  /** As in the bearer token: null for a browser's session. */
  approvedBy?: string | SQLWrapper | null
  now: number | SQLWrapper
}

/**
 * In SQL, whether a row of `users` and one of `sessions` are this user and session, the session is open and the account usable.
 * An app's session needs the token of an app, which `mount-endpoint.ts` lets make few calls.
 */
export function isSignedIn({ userId, sessionId, approvedBy = null, now }: SignedIn) {
  return and(
    eq(users.id, userId),
    isUsable,
    eq(sessions.userId, users.id),
    eq(sessions.id, sessionId),
    isOpen(now),
    sql`(${sessions.kind} = 'browser') = (${approvedBy} IS NULL)`,
  )
}

/** As `isSignedIn`, for statements that read neither table: a write asks it in its own batch. */
export function isOpenSession(of: SignedIn): SQL {
  return sql`EXISTS (SELECT 1 FROM ${users} JOIN ${sessions} WHERE ${isSignedIn(of)})`
}

interface SessionOptions {
  userId: string
  kind: 'browser' | 'desktop'
  isRemembered: boolean
  device?: string
}

/** The row of a new session, to insert in the batch that signs somebody in. */
export function newSession(ctx: Context, options: SessionOptions) {
  const { kind, isRemembered } = options
  return {
    id: ctx.newId('ses'),
    userId: options.userId,
    kind,
    device: options.device ?? ctx.visitor.device,
    ipPrefix: ctx.visitor.ipPrefix,
    isRemembered,
    createdAt: ctx.now,
    lastUsedAt: ctx.now,
    expiresAt: sessionEnd({ kind, isRemembered, createdAt: ctx.now }, ctx.now),
    // Somebody just signed in at a browser. An app was approved elsewhere.
    confirmedAt: kind === 'browser' ? ctx.now : null,
  }
}

export type NewSession = ReturnType<typeof newSession>

/** The statement that opens the session, if its account is usable and the condition holds. */
export function insertSession({ db }: Context, row: NewSession, condition?: SQL) {
  const mayOpen = and(eq(users.id, row.userId), isUsable, condition)
  return db.run(insertFrom(sessions, row, sql`FROM ${users} WHERE ${mayOpen}`))
}

type Begun = Pick<Session, 'kind' | 'isRemembered' | 'createdAt'>

/**
 * When a session ends that was last used at `usedAt`; milliseconds UTC. A browser's ends 12 hours, or with "Remember me" 30
 * days, after the sign-in, as the specification says. A desktop app's ends 90 days after its last use, and 365 days after the
 * sign-in at the latest: used on day 10 it ends on day 100, used on day 300 on day 365. So no app is signed out in the middle
 * of an interview because of its age alone, unless it is a year old.
 */
function sessionEnd(session: Begun, usedAt: number): number {
  if (session.kind === 'browser') return latestEnd(session)
  return Math.min(latestEnd(session), usedAt + days(DESKTOP_IDLE_DAYS))
}

/** When a session ends however often it is used, which is how long its bearer token is signed for. Milliseconds UTC. */
export function latestEnd({ kind, isRemembered, createdAt }: Begun): number {
  if (kind === 'desktop') return createdAt + days(DESKTOP_SESSION_DAYS)
  return createdAt + (isRemembered ? days(SESSION_REMEMBERED_DAYS) : hours(SESSION_HOURS))
}

/** How precise "last used" is. Writing on every read would double its cost. */
const LAST_USED_STEP_MS = minutes(5)

/**
 * Records after the answer that the session was used, which moves the end of a desktop app's session. Returns that end in
 * milliseconds UTC.
 */
export function recordLastUsed(ctx: Context, session: Session): { expiresAt: number } {
  if (ctx.now - session.lastUsedAt < LAST_USED_STEP_MS) return session
  const expiresAt = sessionEnd(session, ctx.now)
  ctx.waitUntil(async () => {
    await ctx.db.batch([
      ctx.db
        .update(sessions)
        .set({ lastUsedAt: ctx.now, expiresAt })
        .where(eq(sessions.id, session.id)),
    ])
  })
  return { expiresAt }
}

interface AccessEnd {
  userId: string
  /** The id of the session that stays open. */
  except?: string
  /** An SQL condition: access ends only where it holds. */
  when?: SQL
  /** Which mailed links stop working: those that reset the password, or all but "not me" links, which protect their reader. */
  links?: 'reset' | 'all'
  /** True for a lock: device codes and sign-in tickets stay, so that they answer why they open nothing. */
  keepsCodes?: boolean
}

/**
 * The statements that end all access to an account: its sessions, and the device codes, sign-in tickets and mailed links
 * that could become one. The first returns the sessions that it ended.
 */
export function endAccess(ctx: Context, access: AccessEnd) {
  const { userId, except, when, links = 'reset', keepsCodes = false } = access
  const { db, now } = ctx
  const endsCodes = keepsCodes ? sql`false` : when
  return [
    db
      .update(sessions)
      .set({ endedAt: now })
      .where(
        and(
          eq(sessions.userId, userId),
          except === undefined ? undefined : ne(sessions.id, except),
          isNull(sessions.endedAt),
          when,
        ),
      )
      .returning({ id: sessions.id, expiresAt: sessions.expiresAt }),
    db.delete(deviceRequests).where(and(eq(deviceRequests.userId, userId), endsCodes)),
    db.delete(signInTickets).where(and(eq(signInTickets.userId, userId), endsCodes)),
    db
      .update(mailedLinks)
      .set({ voidedAt: now })
      .where(
        and(
          eq(mailedLinks.userId, userId),
          links === 'all'
            ? notInArray(mailedLinks.purpose, ['not_me', 'not_my_factor'])
            : eq(mailedLinks.purpose, 'reset'),
          isNull(mailedLinks.usedAt),
          isNull(mailedLinks.voidedAt),
          when,
        ),
      ),
  ] as const
}
