import type { GoogleProblem } from '../../../src/contract/google.ts'
import { resolveIdentity, GoogleSignInError } from './resolve-identity.ts'
import type { Context } from '../context.ts'
import {
  type Identity,
  type IdentityProvider,
  IdentityRejected,
  IdentityUnavailable,
} from '../ports/identity.ts'
import type { GoogleTicket } from './google-ticket.ts'
import { z } from '../../../src/contract/zod.ts'
import { signValue, verifyValue } from '../crypto/sign.ts'
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
type Transaction = z.output<typeof Transaction>

/** Starts a sign-in: the URL to send the browser to, and the signed transaction for its cookie. */
export async function startGoogleSignIn(
  ctx: Context,
  provider: IdentityProvider,
  next: string | null,
): Promise<{ location: string; cookie: string; state: string }> {
  // State, nonce and code verifier of 256 random bits each (RFC 7636 §4.1).
  const secret = () => toBase64Url(ctx.randomBytes(32))
  const transaction = { state: secret(), nonce: secret(), codeVerifier: secret(), next }
  const { state, nonce, codeVerifier } = transaction
  const location = provider.authorizationUrl({
    state,
    nonce,
    codeChallenge: await codeChallengeOf(codeVerifier),
    redirectUri: redirectUri(ctx),
  })
  const cookie = await signValue(ctx, 'google-sign-in', {
    ...transaction,
    lifetimeMs: TRANSACTION_MS,
  })
  return { location, cookie, state }
}

interface GoogleAnswer {
  code?: string | undefined
  state?: string | undefined
  error?: string | undefined
  /** The cookie of `startGoogleSignIn`, or '' when it is absent. */
  cookie: string
}

type GoogleOutcome = { next: string | null } & (
  { ticket: GoogleTicket; problem: null } | { ticket: null; problem: GoogleProblem }
)

/** Where a sign-in in progress leads, for a return that was not looked at; null when it has expired. */
export async function nextOf(ctx: Context, cookie: string): Promise<string | null> {
  const transaction = await verifyValue(ctx, 'google-sign-in', {
    value: cookie,
    schema: Transaction,
  })
  return transaction?.next ?? null
}

/** Handles the browser's return from Google: returns a ticket or the problem. */
export async function receiveGoogleAnswer(
  ctx: Context,
  answer: GoogleAnswer,
): Promise<GoogleOutcome> {
  const { cookie } = answer
  const transaction = await verifyValue(ctx, 'google-sign-in', {
    value: cookie,
    schema: Transaction,
  })
  // The answer belongs to another browser or tab, or the transaction has expired.
  if (transaction === null || transaction.state !== answer.state) {
    return { next: null, ticket: null, problem: 'google_expired' }
  }
  const { next } = transaction
  try {
    const identity = await identify(ctx, answer, transaction)
    return { next, ticket: await resolveIdentity(ctx, identity), problem: null }
  } catch (error) {
    if (error instanceof GoogleSignInError) return { next, ticket: null, problem: error.problem }
    throw error
  }
}

async function identify(
  ctx: Context,
  { code, error }: GoogleAnswer,
  { codeVerifier, nonce }: Transaction,
): Promise<Identity> {
  const { identity: provider } = ctx
  if (provider === null) throw new GoogleSignInError('google_unavailable')
  if (error === 'access_denied') throw new GoogleSignInError('google_cancelled')
  if (code === undefined || error !== undefined) throw new GoogleSignInError('google_failed')
  const answer = { code, codeVerifier, nonce, redirectUri: redirectUri(ctx), now: ctx.now }
  try {
    return await provider.identify(answer)
  } catch (fault) {
    if (fault instanceof IdentityRejected) {
      ctx.log.info('google sign-in refused', { reason: fault.message })
      throw new GoogleSignInError('google_failed')
    }
    if (!(fault instanceof IdentityUnavailable)) throw fault
    ctx.log.error('google not available', fault)
    throw new GoogleSignInError('google_unavailable')
  }
}

/** Must equal the redirect URI registered with Google. */
function redirectUri({ origin }: Context): string {
  return `${origin}/api/auth/google/callback`
}

/** The S256 challenge of a code verifier (RFC 7636 §4.2). */
async function codeChallengeOf(codeVerifier: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(codeVerifier))
  return toBase64Url(new Uint8Array(digest))
}
