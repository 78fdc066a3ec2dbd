import { errors, jwtVerify, SignJWT } from 'jose'
import { z } from '../../../src/contract/zod.ts'
import type { Context } from '../context.ts'
import { toBase64Url } from '../encoding.ts'
import { minutes } from '../time.ts'
import { secretOf } from '../account/bearer.ts'

const ISSUER = 'accounts'
/** Another audience than that of bearer tokens, so that neither is accepted as the other. */
const AUDIENCE = 'google-sign-in'
export const TRANSACTION_MS = minutes(10)
const MAX_LENGTH = 3_000

/** A sign-in in progress, kept in a cookie until the browser returns from Google. */
const Transaction = z.object({
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  next: z.string().nullable(),
})
export type Transaction = z.output<typeof Transaction>

type KeyContext = Pick<Context, 'keys' | 'now'>

/** State, nonce and code verifier of 256 random bits each (RFC 7636 §4.1). */
export function newTransaction(
  { randomBytes }: Pick<Context, 'randomBytes'>,
  next: string | null,
): Transaction {
  const secret = () => toBase64Url(randomBytes(32))
  return { state: secret(), nonce: secret(), codeVerifier: secret(), next }
}

/** The S256 challenge of a code verifier (RFC 7636 §4.2). */
export async function codeChallengeOf(codeVerifier: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(codeVerifier))
  return toBase64Url(new Uint8Array(digest))
}

/** The transaction as a signed cookie value. */
export function sealTransaction(
  { keys, now }: KeyContext,
  transaction: Transaction,
): Promise<string> {
  const [key] = keys
  return new SignJWT({ ...transaction })
    .setProtectedHeader({ alg: 'HS256', kid: key.kid })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setExpirationTime(Math.floor((now + TRANSACTION_MS) / 1_000))
    .sign(key.secret)
}

/** The transaction of a genuine, unexpired cookie value, or null. */
export async function openTransaction(
  { keys, now }: KeyContext,
  sealed: string,
): Promise<Transaction | null> {
  if (sealed.length > MAX_LENGTH) return null
  try {
    const { payload } = await jwtVerify(sealed, (header) => secretOf(keys, header.kid), {
      algorithms: ['HS256'],
      issuer: ISSUER,
      audience: AUDIENCE,
      requiredClaims: ['exp'],
      currentDate: new Date(now),
    })
    return Transaction.safeParse(payload).data ?? null
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return null
    throw error
  }
}
