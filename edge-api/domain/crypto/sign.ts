import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { Id } from '../../../src/contract/text.ts'
import { z } from '../../../src/contract/zod.ts'
import type { Claims, Context, SigningKey, SigningKeys } from '../context.ts'
import { toBase64Url } from '../encoding.ts'

export const ISSUER = 'accounts'
/** Longer than any token or value of ours. Longer ones are rejected before they are decoded. */
const MAX_LENGTH = 3_000

export type KeyContext = Pick<Context, 'keys' | 'now'>

const Payload = z.object({ sub: Id, sid: Id, by: Id.optional() })

/** Signs a bearer token for a session. `expiresAt` in milliseconds UTC. */
export function signBearer(
  keys: SigningKeys,
  { userId, sessionId, approvedBy }: Claims,
  { now, expiresAt }: { now: number; expiresAt: number },
): Promise<string> {
  const claims = { sub: userId, sid: sessionId, iat: inSeconds(now) }
  const by = approvedBy === undefined ? {} : { by: approvedBy }
  return sign(keys, 'api', { ...claims, ...by, exp: inSeconds(expiresAt) })
}

/** The claims of a genuine, unexpired token, or null. */
export async function verifyBearer(
  keys: SigningKeys,
  token: string,
  now: number,
): Promise<Claims | null> {
  const payload = await verify({ keys, now }, 'api', token)
  const parsed = Payload.safeParse(payload)
  if (!parsed.success) return null
  const { sub, sid, by } = parsed.data
  return { userId: sub, sessionId: sid, ...(by === undefined ? {} : { approvedBy: by }) }
}

/**
 * The purpose of a signed value. Its audience differs from that of bearer tokens, so that neither is accepted as the
 * other.
 */
export type Audience =
  'google-sign-in' | 'passkey-answer' | 'new-passkey' | 'new-totp' | 'device-mark'

/** Values that we sign, hand out and get back, instead of storing them. Their holder can read them. */
export function signValue(
  { keys, now }: KeyContext,
  audience: Audience,
  { lifetimeMs, ...content }: { lifetimeMs: number } & Record<string, unknown>,
): Promise<string> {
  return sign(keys, audience, { ...content, exp: inSeconds(now + lifetimeMs) })
}

/** The content of a genuine, unexpired value for this audience, or null. */
export async function verifyValue<Schema extends z.ZodType>(
  ctx: KeyContext,
  audience: Audience,
  { value, schema }: { value: string; schema: Schema },
): Promise<z.output<Schema> | null> {
  return schema.safeParse(await verify(ctx, audience, value)).data ?? null
}

async function sign([key]: SigningKeys, audience: string, claims: JWTPayload): Promise<string> {
  return new SignJWT({ ...claims, iss: ISSUER, aud: audience })
    .setProtectedHeader({ alg: 'HS256', kid: key.kid, typ: 'JWT' })
    .sign(await importedKey(key))
}

/** The payload of a genuine, unexpired JWT for this audience, or null. */
function verify({ keys, now }: KeyContext, audience: string, token: string) {
  return payloadOf(token, () =>
    jwtVerify(token, (header) => importedKey(keyNamed(keys, header.kid)), {
      algorithms: ['HS256'],
      ...expectedOf(audience, now),
    }),
  )
}

/** What `jose` checks besides the key. */
export function expectedOf(audience: string, now: number) {
  const currentDate = new Date(now)
  return { issuer: ISSUER, audience, requiredClaims: ['exp'], currentDate }
}

/** What a token holds, or null when it is too long or `open` rejects it. */
export async function payloadOf(token: string, open: () => Promise<{ payload: JWTPayload }>) {
  if (token.length > MAX_LENGTH) return null
  try {
    return (await open()).payload
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return null
    throw error
  }
}

/** An instant in milliseconds as JWTs write it. */
export const inSeconds = (ms: number) => Math.floor(ms / 1_000)

/** The key with this `kid`. Throws a JOSEError when there is none. */
export function keyNamed(keys: SigningKeys, kid: string | undefined): SigningKey {
  const key = keys.find((candidate) => candidate.kid === kid)
  if (key === undefined) throw new errors.JWKSNoMatchingKey()
  return key
}

const HMAC = { name: 'HMAC', hash: 'SHA-256' }

const imported = new WeakMap<SigningKey, CryptoKey>()

/** The key as WebCrypto wants it, imported once in an isolate. */
export async function importedKey(key: SigningKey): Promise<CryptoKey> {
  const known = imported.get(key)
  if (known !== undefined) return known
  const secret = new Uint8Array(key.secret)
  const made = await crypto.subtle.importKey('raw', secret, HMAC, false, ['sign', 'verify'])
  imported.set(key, made)
  return made
}

/**
 * A hash of a text that can be guessed, such as an address: without our secrets nobody can try guesses. It changes when
 * the first secret is replaced.
 */
export async function keyedHash({ keys }: Pick<Context, 'keys'>, text: string): Promise<string> {
  const key = await importedKey(keys[0])
  const signature = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(text))
  return toBase64Url(new Uint8Array(signature))
}
