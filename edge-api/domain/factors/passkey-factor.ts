import { and, eq, sql } from 'drizzle-orm'
import {
  type addPasskeyEndpoint,
  FACTOR,
  PASSKEYS_MAX,
  type passkeyChallengeEndpoint,
  type removePasskeyEndpoint,
  type renamePasskeyEndpoint,
  type startPasskeyEndpoint,
} from '../../../src/contract/factor.ts'
import { SERVER } from '../../../src/contract/messages.ts'
import { insertFrom, previousChangedOne } from '../../db/insert-from.ts'
import { passkeys } from '../../db/schema/factors.ts'
import { accountQuery, readAccountToAdd, requireSignedIn } from '../session/account-query.ts'
import { isOpenSession } from '../session/session.ts'
import type { Context, Claims } from '../context.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import { ApiError } from '../api-error.ts'
import type { PublicHandler, SessionHandler } from '../handler.ts'
import { afterAdding, removeFactor, requireMayAdd } from './change-factors.ts'
import { CHALLENGE_MS, checkNewPasskey, newChallenge, rpIdOf, userHandleOf } from './passkey.ts'

const NAME = 'passkey'
/** Ed25519, ECDSA with P-256, RSA with PKCS #1: the key types of authenticators, by their COSE numbers. */
const ALGORITHMS = [-8, -7, -257]

/** A challenge for any passkey of this site. Which account it belongs to is known from its answer. */
export const passkeyChallenge: PublicHandler<typeof passkeyChallengeEndpoint> = async (ctx) => {
  const { challenge, sealed } = await newChallenge(ctx, 'passkey-answer')
  return {
    success: true,
    sealed,
    options: { challenge, rpId: rpIdOf(ctx), timeout: CHALLENGE_MS, userVerification: 'required' },
  }
}

/** What the browser needs to make a passkey for the account. FACTOR_REFUSED when it has ten. */
export const startPasskey: SessionHandler<typeof startPasskeyEndpoint> = async (
  ctx,
  { claims },
) => {
  const { accounts, known } = await ctx.db.batch({
    accounts: accountQuery(ctx, claims),
    known: ctx.db
      .select({ id: passkeys.credentialId })
      .from(passkeys)
      .where(eq(passkeys.userId, claims.userId))
      .limit(PASSKEYS_MAX),
  })
  const account = requireSignedIn(accounts)
  const { user } = account
  requireMayAdd(ctx, account)
  if (known.length >= PASSKEYS_MAX) throw new ApiError('FACTOR_REFUSED', FACTOR.passkeysFull)
  const { userId } = claims
  const { challenge, sealed } = await newChallenge(ctx, 'new-passkey', { userId })
  return {
    success: true,
    sealed,
    options: {
      challenge,
      rp: { id: rpIdOf(ctx), name: ctx.brand.productName },
      user: { id: userHandleOf(user.id), name: user.email, displayName: user.username },
      pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
      excludeCredentials: known.map(({ id }) => ({ type: 'public-key', id })),
      // A passkey that the authenticator finds by itself, and that verifies its user, can sign in alone.
      authenticatorSelection: {
        residentKey: 'required',
        requireResidentKey: true,
        userVerification: 'required',
      },
      attestation: 'none',
      timeout: CHALLENGE_MS,
    },
  }
}

/** Adds the passkey that the browser made. FACTOR_REFUSED when it is not genuine or known already. */
export const addPasskey: SessionHandler<typeof addPasskeyEndpoint> = async (
  ctx,
  { claims, body },
) => {
  const account = await readAccountToAdd(ctx, claims)
  requireMayAdd(ctx, account)
  const { userId } = claims
  const { key, used } = await checkNewPasskey(ctx, { ...body, userId })
  const { shownOf, statements } = await afterAdding(ctx, account, NAME)
  const { added, stored } = await ctx.db.batch({
    used,
    added: insertPasskey(ctx, key, claims),
    ...statements,
  })
  if (added.rowsAffected === 0) throw new ApiError('FACTOR_REFUSED', FACTOR.passkeyKnown)
  ctx.waitUntil(() => deliverDueMail(ctx))
  return { success: true, message: FACTOR.passkeyAdded, recoveryCodes: shownOf(stored) }
}

type NewPasskey = Awaited<ReturnType<typeof checkNewPasskey>>['key']

/**
 * Inserted only if the statement before it used the challenge up and the session
 * is still open.
 */
function insertPasskey(ctx: Context, key: NewPasskey, claims: Claims) {
  const { userId } = claims
  const row = {
    id: ctx.newId('pky'),
    userId,
    ...key,
    createdAt: ctx.now,
  }
  const isRoom = sql`WHERE ${previousChangedOne} AND ${isOpenSession({ ...claims, now: ctx.now })} AND (
    SELECT count(*) FROM ${passkeys} k WHERE k.user_id = ${userId}) < ${PASSKEYS_MAX}`
  return ctx.db.run(sql`${insertFrom(passkeys, row, isRoom)} ON CONFLICT DO NOTHING`)
}

/** Renames one passkey of the caller. NOT_FOUND for any other id. */
export const renamePasskey: SessionHandler<typeof renamePasskeyEndpoint> = async (ctx, call) => {
  const { claims, body } = call
  const { accounts, renamed } = await ctx.db.batch({
    accounts: accountQuery(ctx, claims),
    renamed: ctx.db
      .update(passkeys)
      .set(body)
      .where(and(isOwn(call), isOpenSession({ ...claims, now: ctx.now }))),
  })
  requireSignedIn(accounts)
  if (renamed.rowsAffected === 0) throw new ApiError('NOT_FOUND', SERVER.notFound)
  return { success: true, message: FACTOR.renamed }
}

/** Removes one passkey of the caller. NOT_FOUND for any other id. */
export const removePasskey: SessionHandler<typeof removePasskeyEndpoint> = (ctx, call) =>
  removeFactor(ctx, call.claims, { factor: NAME, table: passkeys, isThis: isOwn(call) })

const isOwn = ({ claims, params }: { claims: Claims; params: { id: string } }) =>
  and(eq(passkeys.id, params.id), eq(passkeys.userId, claims.userId))
