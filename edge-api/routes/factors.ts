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
import type { AppEnv } from '../http/env.ts'
import { mountPublic, mountSession } from '../http/mount-endpoint.ts'
import { later } from './later.ts'

const secondStep = () => import('../domain/session/second-step.ts')
const passkeyFactor = () => import('../domain/factors/passkey-factor.ts')
const passkeySignIn = () => import('../domain/session/passkey-sign-in.ts')
const stepUp = () => import('../domain/factors/step-up.ts')
const listFactors = () => import('../domain/factors/list-factors.ts')
const totpFactor = () => import('../domain/factors/totp-factor.ts')

/** Passkeys, authenticator app and recovery codes: signing in with them, confirming with them, changing them. */
export function mountFactors(app: Hono<AppEnv>): void {
  mountPublic(app, secondStepEndpoint, later(secondStep, 'secondStep'))
  mountPublic(app, passkeyChallengeEndpoint, later(passkeyFactor, 'passkeyChallenge'))
  mountPublic(app, passkeySignInEndpoint, later(passkeySignIn, 'passkeySignIn'))
  mountSession(app, stepUpEndpoint, later(stepUp, 'stepUp'))
  mountSession(app, factorsEndpoint, later(listFactors, 'listFactors'))
  mountSession(app, startTotpEndpoint, later(totpFactor, 'startTotp'))
  mountSession(app, addTotpEndpoint, later(totpFactor, 'addTotp'))
  mountSession(app, removeTotpEndpoint, later(totpFactor, 'removeTotp'))
  mountSession(app, startPasskeyEndpoint, later(passkeyFactor, 'startPasskey'))
  mountSession(app, addPasskeyEndpoint, later(passkeyFactor, 'addPasskey'))
  mountSession(app, removePasskeyEndpoint, later(passkeyFactor, 'removePasskey'))
  mountSession(app, renewRecoveryCodesEndpoint, later(listFactors, 'renewRecoveryCodes'))
}
