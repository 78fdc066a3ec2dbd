import { EncryptJWT, jwtDecrypt } from 'jose'
import type { z } from '../../../src/contract/zod.ts'
import type { SigningKey } from '../context.ts'
import {
  type Audience,
  expectedOf,
  importedKey,
  inSeconds,
  ISSUER,
  keyNamed,
  type KeyContext,
  payloadOf,
} from './sign.ts'

// Apart from sign.ts, so that an isolate loads this part of `jose` when it first needs it.

/** As `signValue` of sign.ts, but its holder cannot read it. */
export async function encrypt(
  { keys: [key], now }: KeyContext,
  audience: Audience,
  { lifetimeMs, ...content }: { lifetimeMs: number } & Record<string, unknown>,
): Promise<string> {
  const claims = { ...content, iss: ISSUER, aud: audience, exp: inSeconds(now + lifetimeMs) }
  return new EncryptJWT(claims)
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: key.kid })
    .encrypt(await encryptionKey(key))
}

/** The content of a genuine, unexpired value of `encrypt`, or null. */
export async function decrypt<Schema extends z.ZodType>(
  { keys, now }: KeyContext,
  audience: Audience,
  { value, schema }: { value: string; schema: Schema },
): Promise<z.output<Schema> | null> {
  const payload = await payloadOf(value, () =>
    jwtDecrypt(value, (header) => encryptionKey(keyNamed(keys, header.kid)), {
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM'],
      ...expectedOf(audience, now),
    }),
  )
  return schema.safeParse(payload).data ?? null
}

/** A key for AES-256-GCM, derived from the same secret: the HMAC of a fixed name that no token is signed with. */
async function encryptionKey(key: SigningKey): Promise<Uint8Array> {
  const name = new TextEncoder().encode('encryption')
  return new Uint8Array(await crypto.subtle.sign('HMAC', await importedKey(key), name))
}
