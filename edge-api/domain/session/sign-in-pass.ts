import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { insertFrom } from '../../db/insert-from.ts'
import { signInPasses } from '../../db/schema/sessions.ts'
import type { Context } from '../context.ts'
import { sha256Hex, toBase64Url } from '../encoding.ts'
import { seconds } from '../time.ts'

export const PASS_MS = seconds(60)

/**
 * Turns a return from Google into a session, once. The code goes through the address bar and the secret by
 * cookie, so that neither a leaked address nor a link from a stranger signs anybody in.
 */
export interface SignInPass {
  code: string
  secret: string
  /** Its key in the database. */
  hash: string
}

/** A code and a secret of 256 random bits each, and the hash of both. Valid for PASS_MS milliseconds. */
export async function newPass({ randomBytes }: Pick<Context, 'randomBytes'>): Promise<SignInPass> {
  const halves = { code: toBase64Url(randomBytes(32)), secret: toBase64Url(randomBytes(32)) }
  return { ...halves, hash: await hashPass(halves) }
}

/** SHA-256 over both halves, in hex. */
export function hashPass({ code, secret }: Omit<SignInPass, 'hash'>): Promise<string> {
  return sha256Hex(`${code}.${secret}`)
}

/** Stores a pass for the user who has this Google subject when the statement runs; none when nobody has it. */
export function insertPass(
  { db, now }: Context,
  { hash, subject }: { hash: string; subject: string },
) {
  const pass = { passHash: hash, userId: sql`u.id`, createdAt: now, expiresAt: now + PASS_MS }
  const user = sql`FROM users u WHERE u.google_subject = ${subject} AND u.deleted_at IS NULL`
  return db.run(insertFrom(signInPasses, pass, user))
}

export type KeepPass = ReturnType<typeof insertPass>

/** Whether a row of `sign_in_passes` is this pass, still valid and not redeemed. */
export function isRedeemable({ now }: Context, hash: string) {
  return and(
    eq(signInPasses.passHash, hash),
    isNull(signInPasses.redeemedAt),
    gt(signInPasses.expiresAt, now),
  )
}
