import { and, eq, isNull, sql } from 'drizzle-orm'
import type { CallSuccess } from '../../../src/contract/endpoint.ts'
import { GOOGLE_PROBLEMS, type googleFinishEndpoint } from '../../../src/contract/google.ts'
import { insertFrom, previousChangedOne } from '../../db/insert-from.ts'
import { sessions, oneTimeCodes } from '../../db/schema/sessions.ts'
import { users } from '../../db/schema/users.ts'
import { factorColumns, isTwoStep } from '../account/has-factor.ts'
import { requireUsable } from '../session/session.ts'
import { isNewDevice, signInColumns, answerSignIn, redeemingSignIn } from './sign-in.ts'
import type { Context } from '../context.ts'
import { sha256Hex, toBase64Url } from '../encoding.ts'
import { isOpenCode, newTicket, redeemCode, storeTicket } from '../factors/sign-in-ticket.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import { ApiError } from '../api-error.ts'
import { seconds } from '../time.ts'

export const ONE_TIME_CODE_MS = seconds(60)

/**
 * Turns a return from Google into a session, once. The code goes through the address bar and the secret by
 * cookie, so that neither a leaked address nor a link from a stranger signs anybody in.
 */
export interface OneTimeCode {
  code: string
  secret: string
  /** Its key in the database. */
  hash: string
}

/** A code and a secret of 256 random bits each, and the hash of both. Valid for ONE_TIME_CODE_MS milliseconds. */
export async function newOneTimeCode({ randomBytes }: Context): Promise<OneTimeCode> {
  const oneTimeCode = { code: toBase64Url(randomBytes(32)), secret: toBase64Url(randomBytes(32)) }
  return { ...oneTimeCode, hash: await hashOneTimeCode(oneTimeCode) }
}

/** SHA-256 over code and secret, in hex. */
function hashOneTimeCode({ code, secret }: Omit<OneTimeCode, 'hash'>): Promise<string> {
  return sha256Hex(`${code}.${secret}`)
}

/** Stores a code for the user who has this Google subject when the statement runs; none when nobody has it. */
export function insertOneTimeCode(
  { db, now }: Context,
  { hash, subject }: { hash: string; subject: string },
) {
  const oneTimeCode = {
    codeHash: hash,
    userId: sql`${users.id}`,
    purpose: 'google' as const,
    isRemembered: false,
    createdAt: now,
    expiresAt: now + ONE_TIME_CODE_MS,
  }
  const user = sql`FROM ${users} WHERE ${users.googleSubject} = ${subject} AND ${users.deletedAt} IS NULL`
  return db.run(insertFrom(oneTimeCodes, oneTimeCode, user))
}

export type KeepOneTimeCode = ReturnType<typeof insertOneTimeCode>

/**
 * Redeems a code, once and within a minute, and opens a session. An account with a second step gets FACTOR_REQUIRED and
 * a ticket instead. LINK_INVALID otherwise.
 *
 * @param presented its `secret` is '' in a browser that did not come back from Google
 */
export async function finishGoogleSignIn(
  ctx: Context,
  presented: Omit<OneTimeCode, 'hash'>,
): Promise<CallSuccess<typeof googleFinishEndpoint>> {
  const hash = await hashOneTimeCode(presented)
  const { owners } = await ctx.db.batch({ owners: findOwner(ctx, hash) })
  const [owner] = owners
  if (owner === undefined) throw expired()
  requireUsable(owner, 'LINK_INVALID')
  if (isTwoStep(owner)) throw await secondStep(ctx, owner, hash)
  // Nobody needs a mail about the sign-in that made the account.
  const isOnNewDevice = owner.isNewcomer === 0 && (await isNewDevice(ctx, owner))
  const signIn = { user: owner, isRemembered: false, isNewDevice: isOnNewDevice }
  const redeeming = { redeemed: redeemCode(ctx, hash, 'google') }
  const { redeemed, accounts } = await ctx.db.batch(await redeemingSignIn(ctx, signIn, redeeming))
  if (redeemed.length === 0) throw expired()
  if (isOnNewDevice) ctx.waitUntil(() => deliverDueMail(ctx))
  return answerSignIn(ctx, accounts)
}

/** Turns the code into a ticket. */
async function secondStep(ctx: Context, owner: Owner, hash: string): Promise<ApiError> {
  const ticket = await newTicket(ctx, {
    ...owner,
    userId: owner.id,
    isRemembered: false,
  })
  const { redeemed } = await ctx.db.batch({
    redeemed: redeemCode(ctx, hash, 'google'),
    stored: storeTicket(ctx, ticket, sql`WHERE ${previousChangedOne}`),
  })
  return redeemed.length === 0 ? expired() : ticket.error
}

type Owner = Awaited<ReturnType<typeof findOwner>>[number]

function findOwner(ctx: Context, hash: string) {
  return ctx.db
    .select({
      ...signInColumns(ctx),
      isNewcomer: sql<number>`(${users.createdAt} = ${oneTimeCodes.createdAt} AND NOT EXISTS (
        SELECT 1 FROM ${sessions} s WHERE s.user_id = users.id))`,
      ...factorColumns(),
    })
    .from(oneTimeCodes)
    .innerJoin(users, eq(users.id, oneTimeCodes.userId))
    .where(and(isOpenCode(ctx, hash, 'google'), isNull(users.deletedAt)))
}

function expired(): ApiError {
  return new ApiError('LINK_INVALID', GOOGLE_PROBLEMS.google_expired)
}
