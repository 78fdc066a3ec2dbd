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

/** Passkeys, authenticator app and recovery codes: signing in with them, confirming with them, changing them. */
export function mountFactors(app: Hono<AppEnv>): void {
  mountPublic(app, secondStepEndpoint, async (...call) =>
    (await import('../domain/session/second-step.ts')).secondStep(...call),
  )
  mountPublic(app, passkeyChallengeEndpoint, async (...call) =>
    (await import('../domain/factors/passkey-factor.ts')).passkeyChallenge(...call),
  )
  mountPublic(app, passkeySignInEndpoint, async (...call) =>
    (await import('../domain/session/passkey-sign-in.ts')).passkeySignIn(...call),
  )
  mountSession(app, stepUpEndpoint, async (...call) =>
    (await import('../domain/factors/step-up.ts')).stepUp(...call),
  )
  mountSession(app, factorsEndpoint, async (...call) =>
    (await import('../domain/factors/list-factors.ts')).listFactors(...call),
  )
  mountSession(app, startTotpEndpoint, async (...call) =>
    (await import('../domain/factors/totp-factor.ts')).startTotp(...call),
  )
  mountSession(app, addTotpEndpoint, async (...call) =>
    (await import('../domain/factors/totp-factor.ts')).addTotp(...call),
  )
  mountSession(app, removeTotpEndpoint, async (...call) =>
    (await import('../domain/factors/totp-factor.ts')).removeTotp(...call),
  )
  mountSession(app, startPasskeyEndpoint, async (...call) =>
    (await import('../domain/factors/passkey-factor.ts')).startPasskey(...call),
  )
  mountSession(app, addPasskeyEndpoint, async (...call) =>
    (await import('../domain/factors/passkey-factor.ts')).addPasskey(...call),
  )
  mountSession(app, removePasskeyEndpoint, async (...call) =>
    (await import('../domain/factors/passkey-factor.ts')).removePasskey(...call),
  )
  mountSession(app, renewRecoveryCodesEndpoint, async (...call) =>
    (await import('../domain/factors/list-factors.ts')).renewRecoveryCodes(...call),
  )
}
