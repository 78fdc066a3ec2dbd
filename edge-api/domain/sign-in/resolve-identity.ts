import { and, eq, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm'
import type { GoogleProblem } from '../../../src/contract/google.ts'
import { previousChangedOne } from '../../db/insert-from.ts'
import { users } from '../../db/schema/users.ts'
import { recordEventFrom, recordEventIf } from '../account/record-event.ts'
import { alertOfDuplicates, byMailPriority } from '../account/find-by-address.ts'
import { accountKey, emailKeyOf, emailKeysOf } from '../account/address.ts'
import { hasFactor } from '../account/has-factor.ts'
import { barOf, endAccess, isUsable } from '../session/session.ts'
import { securityMail } from '../mailed-link/mailed-link.ts'
import type { Context } from '../context.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import type { Identity } from '../ports/identity.ts'
import { reportTrials, trialFor, trialStatements } from '../tokens/trial.ts'
import { usernameFrom, withSuffix } from './new-username.ts'
import { type GoogleTicket, newGoogleTicket, storeGoogleTicket } from './google-ticket.ts'
import { acceptedTerms } from '../account/terms.ts'

/** A sign-in with Google that failed. /login shows the sentence of `problem`. */
export class GoogleSignInError extends Error {
  override readonly name = 'GoogleSignInError'
  readonly problem: GoogleProblem

  constructor(problem: GoogleProblem) {
    super(problem)
    this.problem = problem
  }
}

/** Everything is looked up again when somebody else takes the name or the address at the same time. */
const TRIES = 3

/**
 * Finds the account of a Google user and issues a ticket for it: the account the Google account is
 * connected to; else the one with the same address, where both sides have verified it; else a new one. Throws
 * GoogleSignInError, and then nothing has changed.
 */
export async function resolveIdentity(ctx: Context, identity: Identity): Promise<GoogleTicket> {
  const ticket = await newGoogleTicket(ctx)
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    if (await storeTicketFor(ctx, identity, ticket)) return ticket
  }
  throw new GoogleSignInError('google_failed')
}

/** False when the account changed before the ticket was stored. */
async function storeTicketFor(
  ctx: Context,
  identity: Identity,
  { hash }: GoogleTicket,
): Promise<boolean> {
  const { subject, email } = identity
  const base = usernameFrom(identity.name)
  const { holders } = await ctx.db.batch({ holders: findHolders(ctx, identity, base) })
  const storeTicket = storeGoogleTicket(ctx, { hash, subject })
  const known = holders.find((holder) => holder.googleSubject === subject)
  if (known !== undefined) {
    requireNoBar(known)
    const { ticket, trialCount } = await ctx.db.batch({
      ...(await googleTrial(ctx, known, subject)),
      ticket: storeTicket,
    })
    reportTrials(ctx, trialCount)
    return ticket.rowsAffected === 1
  }
  if (!identity.isEmailVerified) throw new GoogleSignInError('google_unverified')
  const keys = emailKeysOf(email)
  const owners = holders.filter(({ emailKey }) => keys.includes(emailKey))
  alertOfDuplicates(ctx, owners)
  const [owner] = owners
  if (owner !== undefined) {
    requireJoinable(owner)
    return connectGoogle(ctx, { owner, identity, storeTicket })
  }
  // 'user' is the fallback for names without a usable character: it always gets a suffix.
  const isFree = base !== 'user' && holders.length === 0
  const username = isFree ? base : withSuffix(base, ctx)
  return makeGoogleAccount(ctx, { username, identity, storeTicket })
}

/** The trial tokens, unless the account, its mailbox or the Google account already had them. */
async function googleTrial(
  ctx: Context,
  { id, email }: { id: string; email: string },
  subject: string,
) {
  return trialStatements(ctx, await trialFor(ctx, { userId: id, email, googleSubject: subject }))
}

type Holder = Awaited<ReturnType<typeof findHolders>>[number]

/**
 * Throws GoogleSignInError unless the account's own address is verified: otherwise somebody could register with a
 * stranger's address and wait for that stranger to sign in with Google.
 */
function requireJoinable(owner: Holder): void {
  requireNoBar(owner)
  if (owner.emailVerifiedAt === null) throw new GoogleSignInError('google_verify_first')
  if (owner.googleSubject !== null) throw new GoogleSignInError('google_other_account')
}

function findHolders({ db }: Context, { subject, email }: Identity, username: string) {
  return db
    .select({
      id: users.id,
      email: users.email,
      emailKey: users.emailKey,
      googleSubject: users.googleSubject,
      emailVerifiedAt: users.emailVerifiedAt,
      suspendedAt: users.suspendedAt,
      lockedAt: users.lockedAt,
    })
    .from(users)
    .where(
      and(
        or(
          eq(users.googleSubject, subject),
          inArray(users.emailKey, emailKeysOf(email)),
          eq(users.usernameKey, accountKey(username)),
        ),
        isNull(users.deletedAt),
      ),
    )
    .orderBy(...byMailPriority)
}

/** Rejects before a factor is asked for, and leaves the account as it is. */
function requireNoBar(holder: Holder): void {
  const bar = barOf(holder)
  if (bar !== null) throw new GoogleSignInError(`google_${bar}`)
}

interface Joining {
  owner: { id: string; email: string; emailKey: string }
  identity: Identity
  storeTicket: ReturnType<typeof storeGoogleTicket>
}

/**
 * Connects a Google account to the account with its address and notifies the user. The address may not have belonged to the
 * person who registered it: a password that was not set with a mailed link is cleared, and every session and open code
 * ends. An account with a factor keeps everything, because it asks for the factor after Google as well. False when the
 * account was deleted, suspended, locked, connected to another Google account or given another address meanwhile.
 */
async function connectGoogle(ctx: Context, joining: Joining): Promise<boolean> {
  const { db, now } = ctx
  const { owner, identity, storeTicket } = joining
  const detail = { email: identity.email }
  const { event, isRecorded: isConnected } = recordEventIf(
    ctx,
    { userId: owner.id, kind: 'google_connected', detail },
    sql`WHERE ${previousChangedOne}`,
  )
  const isCleared = sql`${isConnected} AND EXISTS (
    SELECT 1 FROM ${users} u WHERE u.id = ${owner.id} AND u.password_hash = '')`
  const { ticket, trialCount } = await db.batch({
    connected: db
      .update(users)
      .set({
        googleSubject: identity.subject,
        passwordHash: sql`iif(${users.isPasswordVerified} OR ${hasFactor(owner.id)}, ${users.passwordHash}, '')`,
        updatedAt: now,
      })
      .where(
        and(
          eq(users.id, owner.id),
          eq(users.emailKey, owner.emailKey),
          isNull(users.googleSubject),
          isNotNull(users.emailVerifiedAt),
          isUsable,
        ),
      ),
    event,
    access: endAccess(ctx, { userId: owner.id, when: isCleared }),
    mail: await securityMail(ctx, {
      kind: 'google_connected',
      payload: (secret) => ({
        isPasswordCleared: sql`json(iif(u.password_hash = '', 'true', 'false'))`,
        secret,
      }),
      user: owner,
      source: sql`FROM ${users} u WHERE u.id = ${owner.id} AND ${isConnected}`,
    }),
    ...(await googleTrial(ctx, owner, identity.subject)),
    ticket: storeTicket,
  })
  reportTrials(ctx, trialCount)
  ctx.waitUntil(() => deliverDueMail(ctx))
  return ticket.rowsAffected === 1
}

interface Making {
  username: string
  identity: Identity
  storeTicket: ReturnType<typeof storeGoogleTicket>
}

/**
 * Makes an account whose address Google has verified. It has no password until the user sets one with a mailed
 * link. False when the name or the address was taken meanwhile.
 */
async function makeGoogleAccount(ctx: Context, making: Making): Promise<boolean> {
  const { username, identity, storeTicket } = making
  const user = {
    id: ctx.newId('usr'),
    username,
    usernameKey: accountKey(username),
    email: identity.email,
    emailKey: emailKeyOf(identity.email),
    passwordHash: '',
    firstName: identity.firstName,
    lastName: identity.lastName,
    googleSubject: identity.subject,
    emailVerifiedAt: ctx.now,
    ...acceptedTerms(ctx.now),
    createdAt: ctx.now,
    updatedAt: ctx.now,
  }
  const { ticket, trialCount } = await ctx.db.batch({
    user: ctx.db.insert(users).values(user).onConflictDoNothing(),
    event: recordEventFrom(
      ctx,
      { userId: user.id, kind: 'registered' },
      sql`FROM ${users} WHERE ${users.id} = ${user.id}`,
    ),
    ...(await googleTrial(ctx, user, identity.subject)),
    ticket: storeTicket,
  })
  reportTrials(ctx, trialCount)
  return ticket.rowsAffected === 1
}
