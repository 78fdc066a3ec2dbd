import { and, eq } from 'drizzle-orm'
import { type Assertion, FACTOR, type NewCredential } from '../../../src/contract/factor.ts'
import { z } from '../../../src/contract/zod.ts'
import { previousChangedOne } from '../../db/insert-from.ts'
import { answeredChallenges, passkeys } from '../../db/schema/factors.ts'
import { signValue, verifyValue } from '../crypto/sign.ts'
import type { Context } from '../context.ts'
import { sha256Hex, toBase64Url } from '../encoding.ts'
import { ApiError } from '../api-error.ts'
import { minutes } from '../time.ts'
import { passkeyName } from './passkey-names.ts'

export const CHALLENGE_MS = minutes(5)

const Challenge = z.object({ challenge: z.string() })
const NewPasskey = z.object({ challenge: z.string(), userId: z.string() })

/** A challenge of 256 random bits, plain and signed. The browser sends the signed one back; storing it would let strangers fill a table. */
export async function newChallenge(
  ctx: Context,
  purpose: 'passkey-answer' | 'new-passkey',
  content: { userId?: string } = {},
) {
  const challenge = toBase64Url(ctx.randomBytes(32))
  const sealed = await signValue(ctx, purpose, { ...content, challenge, lifetimeMs: CHALLENGE_MS })
  return { challenge, sealed }
}

/** How WebAuthn names an account: its id, in base64url. */
export function userHandleOf(userId: string): string {
  return toBase64Url(new TextEncoder().encode(userId))
}

/** The domain for which passkeys are made. */
export function rpIdOf({ origin }: Context): string {
  return new URL(origin).hostname
}

/**
 * What the library checks for both kinds of answer: this site, this challenge, and a user whom the authenticator verified.
 */
function expected(ctx: Context, challenge: string) {
  return {
    expectedChallenge: challenge,
    expectedOrigin: ctx.origin,
    expectedRPID: rpIdOf(ctx),
    requireUserVerification: true,
  }
}

/** Loaded when the first passkey arrives, so that other calls do not wait for it (87 KB compressed). */
const loadLibrary = () => import('@simplewebauthn/server')

/**
 * The key of a new passkey, and the statement that uses its challenge up. LINK_INVALID when the challenge is not this account's or
 * expired, FACTOR_REFUSED otherwise.
 */
export async function checkNewPasskey(
  ctx: Context,
  { sealed, credential, userId }: { sealed: string; credential: NewCredential; userId: string },
) {
  const content = await verifyValue(ctx, 'new-passkey', { value: sealed, schema: NewPasskey })
  if (content?.userId !== userId) throw new ApiError('LINK_INVALID', FACTOR.setupExpired)
  const { verifyRegistrationResponse } = await loadLibrary()
  const { registrationInfo } = await orRejected(ctx, () =>
    verifyRegistrationResponse({
      response: { ...credential, clientExtensionResults: {} },
      ...expected(ctx, content.challenge),
    }),
  )
  if (registrationInfo === undefined) throw rejectPasskey()
  const { credential: made, aaguid } = registrationInfo
  const { id, publicKey, counter } = made
  return {
    key: {
      credentialId: id,
      publicKey: toBase64Url(publicKey),
      signCount: counter,
      name: passkeyName(aaguid, ctx.visitor.device),
    },
    used: useChallengeUp(ctx, await sha256Hex(content.challenge)),
  }
}

/** The passkey with this credential id. */
export function findPasskey({ db }: Context, { id }: Assertion) {
  return db.select().from(passkeys).where(eq(passkeys.credentialId, id))
}

type StoredPasskey = typeof passkeys.$inferSelect

interface Answer {
  sealed: string
  credential: Assertion
}

/**
 * Checks the answer of a passkey. FACTOR_REFUSED unless it is genuine. Returns the statements that use its challenge
 * up; the last changes a row only for the first of several calls with one answer.
 */
export async function checkPasskey(
  ctx: Context,
  { sealed, credential }: Answer,
  passkey: StoredPasskey | undefined,
) {
  const content = await verifyValue(ctx, 'passkey-answer', { value: sealed, schema: Challenge })
  if (content === null || passkey === undefined) throw rejectPasskey()
  // WebAuthn §7.2, step 6: an answer that names a user names the passkey's owner.
  const { userHandle, ...response } = credential.response
  if (userHandle != null && userHandle !== userHandleOf(passkey.userId)) throw rejectPasskey()
  const { verifyAuthenticationResponse } = await loadLibrary()
  const { verified, authenticationInfo } = await orRejected(ctx, () =>
    verifyAuthenticationResponse({
      response: { ...credential, response, clientExtensionResults: {} },
      credential: {
        id: passkey.credentialId,
        publicKey: Buffer.from(passkey.publicKey, 'base64url'),
        counter: passkey.signCount,
      },
      ...expected(ctx, content.challenge),
    }),
  )
  if (!verified) throw rejectPasskey()
  const challengeHash = await sha256Hex(content.challenge)
  return [
    useChallengeUp(ctx, challengeHash),
    ctx.db
      .update(passkeys)
      .set({ signCount: authenticationInfo.newCounter, lastUsedAt: ctx.now })
      .where(and(eq(passkeys.id, passkey.id), previousChangedOne)),
  ] as const
}

/** The statement that uses a challenge up. It changes one row for the first answer and none for others. */
function useChallengeUp({ db, now }: Context, challengeHash: string) {
  return db
    .insert(answeredChallenges)
    .values({ challengeHash, expiresAt: now + CHALLENGE_MS })
    .onConflictDoNothing()
}

/** The library throws whatever is wrong with an answer. The reason goes into the log; it quotes no secret. */
async function orRejected<Result>(ctx: Context, check: () => Promise<Result>): Promise<Result> {
  try {
    return await check()
  } catch (error) {
    ctx.log.info('passkey refused', { reason: String(error).slice(0, 200) })
    throw rejectPasskey()
  }
}

/** The same answer for every passkey that does not fit, so that it tells nothing about the account. */
export function rejectPasskey(): ApiError {
  return new ApiError('FACTOR_REFUSED', FACTOR.wrongPasskey)
}
