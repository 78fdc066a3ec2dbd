import { errors, jwtVerify, SignJWT } from 'jose'
import { Id } from '../../../src/contract/text.ts'
import { z } from '../../../src/contract/zod.ts'
import type { BearerKey, BearerKeys } from '../context.ts'

const ISSUER = 'accounts'
const AUDIENCE = 'api'
/** The most characters of a token. Ours are shorter; longer ones are refused before they are decoded. */
const MAX_LENGTH = 2_000

/** The claims of a bearer token. Only the database knows whether its session is still open. */
export interface Claims {
  userId: string
  sessionId: string
  /** The session that approved the app which has this token. */
  approvedBy?: string
}

const Payload = z.object({ sub: Id, sid: Id, by: Id.optional() })

/** Signs a bearer token (HS256) for a session. `expiresAt` in milliseconds UTC. */
export async function signBearer(
  keys: BearerKeys,
  claims: Claims,
  times: { now: number; expiresAt: number },
): Promise<string> {
  const [key] = keys
  const { userId, sessionId, approvedBy } = claims
  return new SignJWT({ sid: sessionId, ...(approvedBy === undefined ? {} : { by: approvedBy }) })
    .setProtectedHeader({ alg: 'HS256', kid: key.kid, typ: 'JWT' })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setSubject(userId)
    .setIssuedAt(Math.floor(times.now / 1_000))
    .setExpirationTime(Math.floor(times.expiresAt / 1_000))
    .sign(await importedKey(key))
}

/** The claims of a genuine, unexpired token, or null. */
export async function verifyBearer(
  keys: BearerKeys,
  token: string,
  now: number,
): Promise<Claims | null> {
  if (token.length > MAX_LENGTH) return null
  try {
    const { payload } = await jwtVerify(token, (header) => keyOf(keys, header.kid), {
      algorithms: ['HS256'],
      issuer: ISSUER,
      audience: AUDIENCE,
      requiredClaims: ['exp', 'sub', 'sid'],
      currentDate: new Date(now),
    })
    const parsed = Payload.safeParse(payload)
    if (!parsed.success) return null
    const { sub, sid, by } = parsed.data
    return { userId: sub, sessionId: sid, ...(by === undefined ? {} : { approvedBy: by }) }
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return null
    throw error
  }
}

/** The key with this `kid`. Throws a JOSEError when there is none. */
export function keyOf(keys: BearerKeys, kid: string | undefined): Promise<CryptoKey> {
  const key = keys.find((candidate) => candidate.kid === kid)
  if (key === undefined) throw new errors.JWKSNoMatchingKey()
  return importedKey(key)
}

const HMAC = { name: 'HMAC', hash: 'SHA-256' }

const imported = new WeakMap<BearerKey, CryptoKey>()

/** The key as WebCrypto wants it, imported once in an isolate. */
export async function importedKey(key: BearerKey): Promise<CryptoKey> {
  const known = imported.get(key)
  if (known !== undefined) return known
  const secret = new Uint8Array(key.secret)
  const made = await crypto.subtle.importKey('raw', secret, HMAC, false, ['sign', 'verify'])
  imported.set(key, made)
  return made
}
