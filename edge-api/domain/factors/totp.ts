import { and, eq, lt, type SQL, sql } from 'drizzle-orm'
import { totps } from '../../db/schema/factors.ts'
import type { Context } from '../context.ts'

const SECRET_BYTES = 20
/** A code of the time step (RFC 6238 §4.1) before or after is accepted too, since clocks differ and people type slowly. */
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

/** The time step of a right code; null for a wrong one, and for one of a time step that was used or passed over. */
export async function acceptedTimeStep(
  { secret, lastStep }: { secret: string; lastStep: number },
  { code, now }: { code: string; now: number },
): Promise<number | null> {
  const { TOTP } = await loadLibrary()
  const totp = new TOTP({ secret })
  const delta = totp.validate({ token: code, timestamp: now, window: WINDOW })
  if (delta === null) return null
  const timeStep = totp.counter({ timestamp: now }) + delta
  return timeStep > lastStep ? timeStep : null
}

/** The statement that finds the app of an account. `owner` is a subquery of the account's id. */
export function findTotp({ db }: Context, owner: SQL) {
  return db
    .select({ secret: totps.secret, lastStep: totps.lastStep })
    .from(totps)
    .where(sql`${totps.userId} = ${owner}`)
}

/** The statement that uses a time step up, under a condition. It changes a row only if no call used this or a later one. */
export function useTimeStep({ db }: Context, userId: string, timeStep: number, condition: SQL) {
  return db
    .update(totps)
    .set({ lastStep: timeStep })
    .where(and(eq(totps.userId, userId), lt(totps.lastStep, timeStep), condition))
}
