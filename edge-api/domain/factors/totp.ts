import { and, eq, lt, or, type SQL, sql } from 'drizzle-orm'
import { totps } from '../../db/schema/factors.ts'
import type { Context } from '../context.ts'
import { hours } from '../time.ts'

/** Wrong codes in a day. Somebody who knows the password and guesses for a year gets in with a chance of 2 %. */
const TRIES_MAX = 20
const TRIES_MS = hours(24)
const SECRET_BYTES = 20
/** A code of the step before or after is accepted too, since clocks differ and people type slowly. */
const WINDOW = 1

/** Loaded when an authenticator app is used, so that other calls do not wait for it. */
const loadLibrary = () => import('otpauth')

/** A new secret in Base32, of the length that RFC 4226 §4 recommends. */
export async function newTotpSecret({ randomBytes }: Context): Promise<string> {
  const { Secret } = await loadLibrary()
  return new Secret({ buffer: randomBytes(SECRET_BYTES).buffer }).base32
}

/** The address that an authenticator app reads from a QR code. */
export async function totpUri({ brand }: Context, email: string, secret: string): Promise<string> {
  const { TOTP } = await loadLibrary()
  return new TOTP({ issuer: brand.productName, label: email, secret }).toString()
}

/** The time step of a right code; null for a wrong one and for one of a step that is over for this account. */
export async function acceptedStep(
  { secret, lastStep }: { secret: string; lastStep: number },
  { code, now }: { code: string; now: number },
): Promise<number | null> {
  const { TOTP } = await loadLibrary()
  const totp = new TOTP({ secret })
  const delta = totp.validate({ token: code, timestamp: now, window: WINDOW })
  if (delta === null) return null
  const step = totp.counter({ timestamp: now }) + delta
  return step > lastStep ? step : null
}

/**
 * The statement that counts a try before its code is checked, and returns the data for the check. It returns no row after
 * too many failures, so that many tries at once cannot exceed the limit. `owner` is a subquery of the account's id.
 */
export function countTotpTry({ db, now }: Context, owner: SQL) {
  const isOver = sql`${totps.triesSince} <= ${now - TRIES_MS}`
  return db
    .update(totps)
    .set({
      tries: sql`iif(${isOver}, 1, ${totps.tries} + 1)`,
      triesSince: sql`iif(${isOver}, ${now}, ${totps.triesSince})`,
    })
    .where(and(sql`${totps.userId} = ${owner}`, or(lt(totps.tries, TRIES_MAX), isOver)))
    .returning({ secret: totps.secret, lastStep: totps.lastStep })
}

/**
 * The statement that uses a step up and takes its try off the count. It changes a row only if no other call used this step or a
 * later one.
 */
export function useTotpStep({ db }: Context, userId: string, step: number) {
  return db
    .update(totps)
    .set({ lastStep: step, tries: sql`${totps.tries} - 1` })
    .where(and(eq(totps.userId, userId), lt(totps.lastStep, step)))
}
