import { sql } from 'drizzle-orm'
import { deviceRequests } from '../../db/schema/sessions.ts'
import type { Context } from '../context.ts'
import { sha256Hex, toBase64Url } from '../encoding.ts'
import { seconds } from '../time.ts'

export const PASS_MS = seconds(60)

/**
 * What turns a return from Google into a session, once: the code goes through the address bar, the
 * secret by cookie, so that neither a leaked address nor a foreign link signs anybody in.
 */
export interface SignInPass {
  code: string
  secret: string
  /** Its row in the database. */
  key: string
}

/** Two halves of 256 random bits each, and the key they are kept under. Good for PASS_MS milliseconds. */
export async function newPass({ randomBytes }: Pick<Context, 'randomBytes'>): Promise<SignInPass> {
  const halves = { code: toBase64Url(randomBytes(32)), secret: toBase64Url(randomBytes(32)) }
  return { ...halves, key: await passKey(halves) }
}

/** Nothing that SHA-256 in hex can equal, so that no pass is ever redeemed as a desktop app's code. */
export async function passKey({ code, secret }: Omit<SignInPass, 'key'>): Promise<string> {
  return `google:${await sha256Hex(`${code}.${secret}`)}`
}

/**
 * Keeps a pass for whoever holds the Google subject when the statement runs, and for nobody when nobody
 * does: a device request that is approved already.
 */
export function insertPass(
  { db, now }: Context,
  { key, subject }: { key: string; subject: string },
) {
  return db.run(sql`
    INSERT INTO ${deviceRequests} (device_code_hash, user_code, client_name, user_id, decision, created_at, expires_at)
    SELECT ${key}, ${key}, 'Google', u.id, 'approved', ${now}, ${now + PASS_MS}
    FROM users u WHERE u.google_subject = ${subject} AND u.deleted_at IS NULL`)
}

export type KeepPass = ReturnType<typeof insertPass>
