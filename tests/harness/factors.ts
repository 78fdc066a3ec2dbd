import { TOTP } from 'otpauth'
import type { Context, Claims } from '../../edge-api/domain/context.ts'
import { addTotp, startTotp } from '../../edge-api/domain/factors/totp-factor.ts'
import {
  addPasskey,
  passkeyChallenge,
  startPasskey,
} from '../../edge-api/domain/factors/passkey-factor.ts'
import { newAuthenticator, NO_AAGUID } from './authenticator.ts'
import { callOf, NO_INPUT } from './fixture/fixture.ts'

/** The code that an authenticator app shows at an instant, in milliseconds UTC. */
export function codeAt(secret: string, now: number): string {
  return new TOTP({ secret }).generate({ timestamp: now })
}

/** Sets up an authenticator app. Returns its secret and the recovery codes that came with it. */
export async function setUpTotp(ctx: Context, claims: Claims) {
  const { secret, sealed } = await startTotp(ctx, callOf(claims))
  const body = { sealed, code: codeAt(secret, ctx.now) }
  const { recoveryCodes } = await addTotp(ctx, { ...callOf(claims), body })
  return { secret, recoveryCodes }
}

/** Adds a passkey. Returns it, with the recovery codes that came with it. */
export async function setUpPasskey(ctx: Context, claims: Claims, aaguid = NO_AAGUID) {
  const passkey = newAuthenticator({ origin: ctx.origin, aaguid })
  const { sealed, options } = await startPasskey(ctx, callOf(claims))
  const body = { sealed, credential: passkey.create(options) }
  const { recoveryCodes } = await addPasskey(ctx, { ...callOf(claims), body })
  return { passkey, recoveryCodes }
}

/** What a passkey answers to a new challenge. */
export async function passkeyAnswer(ctx: Context, passkey: ReturnType<typeof newAuthenticator>) {
  const { sealed, options } = await passkeyChallenge(ctx, NO_INPUT)
  return { sealed, credential: passkey.get(options) }
}
