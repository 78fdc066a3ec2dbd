import { and, eq, isNull, sql } from 'drizzle-orm'
import type { CallSuccess } from '../../../src/contract/endpoint.ts'
import { GOOGLE_PROBLEMS, type googleFinishEndpoint } from '../../../src/contract/google.ts'
import { insertFrom, previousChangedOne } from '../../db/insert-from.ts'
import { sessions, signInTickets } from '../../db/schema/sessions.ts'
import { users } from '../../db/schema/users.ts'
import { factorColumns, isTwoStep } from '../account/has-factor.ts'
import { insertSession, newSession, requireUsable } from '../session/session.ts'
import { answerSignIn, isNewDevice, signInColumns, signInStatements } from './every-sign-in.ts'
import type { Context } from '../context.ts'
import { sha256Hex, toBase64Url } from '../encoding.ts'
import { isOpenTicket, newTicket, redeemTicket } from './sign-in-ticket.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import { ApiError } from '../api-error.ts'
import { seconds } from '../time.ts'

export const GOOGLE_TICKET_MS = seconds(60)

/**
 * Turns a return from Google into a session, once. The code goes through the address bar and the secret by
 * cookie, so that neither a leaked address nor a link from a stranger signs anybody in.
 */
export interface GoogleTicket {
  code: string
  secret: string
  /** Its key in the database. */
  hash: string
}

/** A code and a secret of 256 random bits each, and the hash of both. Valid for GOOGLE_TICKET_MS milliseconds. */
export async function newGoogleTicket({ randomBytes }: Context): Promise<GoogleTicket> {
  const ticket = { code: toBase64Url(randomBytes(32)), secret: toBase64Url(randomBytes(32)) }
  return { ...ticket, hash: await hashOf(ticket) }
}

/** SHA-256 over code and secret, in hex. */
function hashOf({ code, secret }: Omit<GoogleTicket, 'hash'>): Promise<string> {
  return sha256Hex(`${code}.${secret}`)
}

/** Stores a ticket for the user who has this Google subject when the statement runs; none when nobody has it. */
export function storeGoogleTicket(
  { db, now }: Context,
  { hash, subject }: { hash: string; subject: string },
) {
  const ticket = {
    ticketHash: hash,
    userId: sql`${users.id}`,
    purpose: 'google' as const,
    isRemembered: false,
    createdAt: now,
    expiresAt: now + GOOGLE_TICKET_MS,
  }
  const user = sql`FROM ${users} WHERE ${users.googleSubject} = ${subject} AND ${users.deletedAt} IS NULL`
  return db.run(insertFrom(signInTickets, ticket, user))
}

/**
 * Redeems a ticket, once and within a minute, and opens a session. An account with a second step gets FACTOR_REQUIRED and
 * a ticket for that instead. LINK_INVALID otherwise.
 *
 * @param presented its `secret` is '' in a browser that did not come back from Google
 */
export async function finishGoogleSignIn(
  ctx: Context,
  presented: Omit<GoogleTicket, 'hash'>,
): Promise<CallSuccess<typeof googleFinishEndpoint>> {
  const hash = await hashOf(presented)
  const { owners } = await ctx.db.batch({ owners: findOwner(ctx, hash) })
  const [owner] = owners
  if (owner === undefined) throw expired()
  requireUsable(owner, 'LINK_INVALID')
  const redeeming = redeemTicket(ctx, hash, 'google')
  if (isTwoStep(owner)) {
    const source = sql`WHERE ${previousChangedOne}`
    const { stored, rejection } = await newTicket(ctx, { user: owner, isRemembered: false, source })
    const { redeemed } = await ctx.db.batch({ redeemed: redeeming, stored })
    throw redeemed.length === 0 ? expired() : rejection
  }
  const session = newSession(ctx, { userId: owner.id, kind: 'browser', isRemembered: false })
  // Nobody needs a mail about the sign-in that made the account.
  const isNew = owner.isNewcomer === 0 && (await isNewDevice(ctx, owner))
  const { redeemed, accounts } = await ctx.db.batch({
    redeemed: redeeming,
    session: insertSession(ctx, session, previousChangedOne),
    ...(await signInStatements(ctx, session, { user: owner, isNewDevice: isNew })),
  })
  if (redeemed.length === 0) throw expired()
  if (isNew) ctx.waitUntil(() => deliverDueMail(ctx))
  return answerSignIn(ctx, accounts)
}

function findOwner(ctx: Context, hash: string) {
  return ctx.db
    .select({
      ...signInColumns(ctx),
      isNewcomer: sql<number>`(${users.createdAt} = ${signInTickets.createdAt} AND NOT EXISTS (
        SELECT 1 FROM ${sessions} s WHERE s.user_id = users.id))`,
      ...factorColumns(),
    })
    .from(signInTickets)
    .innerJoin(users, eq(users.id, signInTickets.userId))
    .where(and(isOpenTicket(ctx, hash, 'google'), isNull(users.deletedAt)))
}

function expired(): ApiError {
  return new ApiError('LINK_INVALID', GOOGLE_PROBLEMS.google_expired)
}
