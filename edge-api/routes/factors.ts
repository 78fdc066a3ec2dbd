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
import { whenCalled } from '../http/when-called.ts'

const listFactorsVerbs = () => import('../domain/factors/list-factors.ts')
const passkeyFactorVerbs = () => import('../domain/factors/passkey-factor.ts')
const stepUpVerbs = () => import('../domain/factors/step-up.ts')
const totpFactorVerbs = () => import('../domain/factors/totp-factor.ts')
const passkeySignInVerbs = () => import('../domain/session/passkey-sign-in.ts')
const secondStepVerbs = () => import('../domain/session/second-step.ts')

/** Passkeys, authenticator app and recovery codes: signing in with them, confirming with them, changing them. */
export function mountFactors(app: Hono<AppEnv>): void {
  mountPublic(
    app,
    secondStepEndpoint,
    whenCalled(secondStepVerbs, (verbs) => verbs.secondStep),
  )
  mountPublic(
    app,
    passkeyChallengeEndpoint,
    whenCalled(passkeyFactorVerbs, (verbs) => verbs.passkeyChallenge),
  )
  mountPublic(
    app,
    passkeySignInEndpoint,
    whenCalled(passkeySignInVerbs, (verbs) => verbs.passkeySignIn),
  )
  mountSession(
    app,
    stepUpEndpoint,
    whenCalled(stepUpVerbs, (verbs) => verbs.stepUp),
  )
  mountSession(
    app,
    factorsEndpoint,
    whenCalled(listFactorsVerbs, (verbs) => verbs.listFactors),
  )
  mountSession(
    app,
    startTotpEndpoint,
    whenCalled(totpFactorVerbs, (verbs) => verbs.startTotp),
  )
  mountSession(
    app,
    addTotpEndpoint,
    whenCalled(totpFactorVerbs, (verbs) => verbs.addTotp),
  )
  mountSession(
    app,
    removeTotpEndpoint,
    whenCalled(totpFactorVerbs, (verbs) => verbs.removeTotp),
  )
  mountSession(
    app,
    startPasskeyEndpoint,
    whenCalled(passkeyFactorVerbs, (verbs) => verbs.startPasskey),
  )
  mountSession(
    app,
    addPasskeyEndpoint,
    whenCalled(passkeyFactorVerbs, (verbs) => verbs.addPasskey),
  )
  mountSession(
    app,
    removePasskeyEndpoint,
    whenCalled(passkeyFactorVerbs, (verbs) => verbs.removePasskey),
  )
  mountSession(
    app,
    renewRecoveryCodesEndpoint,
    whenCalled(listFactorsVerbs, (verbs) => verbs.renewRecoveryCodes),
  )
}
