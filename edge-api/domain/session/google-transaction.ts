import { z } from '../../../src/contract/zod.ts'
import { seal, unseal } from '../account/sealed.ts'
import type { Context } from '../context.ts'
import { toBase64Url } from '../encoding.ts'
import { minutes } from '../time.ts'

export const TRANSACTION_MS = minutes(10)

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
export function sealTransaction(ctx: KeyContext, transaction: Transaction): Promise<string> {
  return seal(ctx, 'google-sign-in', { ...transaction, lifetimeMs: TRANSACTION_MS })
}

/** The transaction of a genuine, unexpired cookie value, or null. */
export function openTransaction(ctx: KeyContext, sealed: string): Promise<Transaction | null> {
  return unseal(ctx, 'google-sign-in', { sealed, schema: Transaction })
}
