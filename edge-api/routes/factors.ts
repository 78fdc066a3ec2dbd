import type { Hono } from 'hono'
import {
  addPasskeyEndpoint,
  addTotpEndpoint,
  factorsEndpoint,
  passkeyChallengeEndpoint,
  removePasskeyEndpoint,
  removeTotpEndpoint,
  renamePasskeyEndpoint,
  renewRecoveryCodesEndpoint,
  startPasskeyEndpoint,
  startTotpEndpoint,
  stepUpEndpoint,
} from '../../src/contract/factor.ts'
import type { AppEnv } from '../http/env.ts'
import { mountPublic, mountSession, onDemand } from '../http/mount-endpoint.ts'

const passkeyFactor = () => import('../domain/factors/passkey-factor.ts')
const stepUp = () => import('../domain/factors/step-up.ts')
const listFactors = () => import('../domain/factors/list-factors.ts')
const totpFactor = () => import('../domain/factors/totp-factor.ts')

/** Passkeys, authenticator app and recovery codes: confirming with them, and changing them. */
export function mountFactors(app: Hono<AppEnv>): void {
  mountPublic(app, passkeyChallengeEndpoint, onDemand(passkeyFactor, 'passkeyChallenge'))
  mountSession(app, stepUpEndpoint, onDemand(stepUp, 'stepUp'))
  mountSession(app, factorsEndpoint, onDemand(listFactors, 'listFactors'))
  mountSession(app, startTotpEndpoint, onDemand(totpFactor, 'startTotp'))
  mountSession(app, addTotpEndpoint, onDemand(totpFactor, 'addTotp'))
  mountSession(app, removeTotpEndpoint, onDemand(totpFactor, 'removeTotp'))
  mountSession(app, startPasskeyEndpoint, onDemand(passkeyFactor, 'startPasskey'))
  mountSession(app, addPasskeyEndpoint, onDemand(passkeyFactor, 'addPasskey'))
  mountSession(app, renamePasskeyEndpoint, onDemand(passkeyFactor, 'renamePasskey'))
  mountSession(app, removePasskeyEndpoint, onDemand(passkeyFactor, 'removePasskey'))
  mountSession(app, renewRecoveryCodesEndpoint, onDemand(listFactors, 'renewRecoveryCodes'))
}
