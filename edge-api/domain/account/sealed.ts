import { errors, jwtVerify, SignJWT } from 'jose'
import type { z } from '../../../src/contract/zod.ts'
import type { Context } from '../context.ts'
import { importedKey, keyOf } from './bearer.ts'

const ISSUER = 'accounts'
const MAX_LENGTH = 3_000

type KeyContext = Pick<Context, 'keys' | 'now'>

/** What a sealed value is for. Another audience than that of bearer tokens, so that neither is accepted as the other. */
type Audience = 'google-sign-in' | 'passkey-answer' | 'new-passkey' | 'new-totp' | 'device-mark'

/** Values that we hand out signed and get back, instead of storing them. Whoever holds one can read it. */
export async function seal(
  { keys, now }: KeyContext,
  audience: Audience,
  { lifetimeMs, ...content }: { lifetimeMs: number } & Record<string, unknown>,
): Promise<string> {
  const [key] = keys
  return new SignJWT(content)
    .setProtectedHeader({ alg: 'HS256', kid: key.kid })
    .setIssuer(ISSUER)
    .setAudience(audience)
    .setExpirationTime(Math.floor((now + lifetimeMs) / 1_000))
    .sign(await importedKey(key))
}

/** The content of a genuine, unexpired value for this audience, or null. */
export async function unseal<Schema extends z.ZodType>(
  { keys, now }: KeyContext,
  audience: Audience,
  { sealed, schema }: { sealed: string; schema: Schema },
): Promise<z.output<Schema> | null> {
  if (sealed.length > MAX_LENGTH) return null
  try {
    const { payload } = await jwtVerify(sealed, (header) => keyOf(keys, header.kid), {
      algorithms: ['HS256'],
      issuer: ISSUER,
      audience,
      requiredClaims: ['exp'],
      currentDate: new Date(now),
    })
    return schema.safeParse(payload).data ?? null
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return null
    throw error
  }
}
