import type { Hono } from 'hono'
import {
  addPasskeyEndpoint,
  addTotpEndpoint,
  factorsEndpoint,
  passkeyChallengeEndpoint,
  passkeySignInEndpoint,
  removePasskeyEndpoint,
  removeTotpEndpoint,
  renewRecoveryCodesEndpoint,
  secondStepEndpoint,
  startPasskeyEndpoint,
  startTotpEndpoint,
  stepUpEndpoint,
} from '../../src/contract/factor.ts'
import { listFactors, renewRecoveryCodes } from '../domain/factors/list-factors.ts'
import {
  addPasskey,
  passkeyChallenge,
  removePasskey,
  startPasskey,
} from '../domain/factors/passkey-factor.ts'
import { stepUp } from '../domain/factors/step-up.ts'
import { addTotp, removeTotp, startTotp } from '../domain/factors/totp-factor.ts'
import { passkeySignIn } from '../domain/session/passkey-sign-in.ts'
import { secondStep } from '../domain/session/second-step.ts'
import type { AppEnv } from '../http/env.ts'
import { mountPublic, mountSession } from '../http/mount-endpoint.ts'

/** Passkeys, authenticator app and recovery codes: signing in with them, confirming with them, changing them. */
export function mountFactors(app: Hono<AppEnv>): void {
  mountPublic(app, secondStepEndpoint, secondStep)
  mountPublic(app, passkeyChallengeEndpoint, passkeyChallenge)
  mountPublic(app, passkeySignInEndpoint, passkeySignIn)
  mountSession(app, stepUpEndpoint, stepUp)
  mountSession(app, factorsEndpoint, listFactors)
  mountSession(app, startTotpEndpoint, startTotp)
  mountSession(app, addTotpEndpoint, addTotp)
  mountSession(app, removeTotpEndpoint, removeTotp)
  mountSession(app, startPasskeyEndpoint, startPasskey)
  mountSession(app, addPasskeyEndpoint, addPasskey)
  mountSession(app, removePasskeyEndpoint, removePasskey)
  mountSession(app, renewRecoveryCodesEndpoint, renewRecoveryCodes)
}
