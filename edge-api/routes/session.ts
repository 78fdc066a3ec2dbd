import type { Hono } from 'hono'
import {
  authorizeDeviceEndpoint,
  confirmDeviceEndpoint,
  deviceRequestEndpoint,
  deviceTokenEndpoint,
} from '../../src/contract/device.ts'
import { passkeySignInEndpoint, secondStepEndpoint } from '../../src/contract/factor.ts'
import {
  endOtherSessionsEndpoint,
  endSessionEndpoint,
  loginEndpoint,
  logoutEndpoint,
  sessionsEndpoint,
} from '../../src/contract/session.ts'
import {
  authorizeDevice,
  confirmDevice,
  showDeviceRequest,
} from '../domain/sign-in/authorize-device.ts'
import { endOtherSessions, endSession, logout } from '../domain/session/end-session.ts'
import { listSessions } from '../domain/session/list-sessions.ts'
import { login } from '../domain/sign-in/login.ts'
import { redeemDeviceCode } from '../domain/sign-in/redeem-device-code.ts'
import type { AppEnv } from '../http/env.ts'
import { mountPublic, mountSession, onDemand } from '../http/mount-endpoint.ts'

const secondStep = () => import('../domain/sign-in/second-step.ts')
const passkeySignIn = () => import('../domain/sign-in/passkey-sign-in.ts')

/** Signing in and out, the list of sessions, and the device code flow of the desktop app. */
export function mountSessions(app: Hono<AppEnv>): void {
  mountPublic(app, loginEndpoint, login)
  mountPublic(app, secondStepEndpoint, onDemand(secondStep, 'secondStep'))
  mountPublic(app, passkeySignInEndpoint, onDemand(passkeySignIn, 'passkeySignIn'))
  mountSession(app, logoutEndpoint, logout)
  mountSession(app, sessionsEndpoint, listSessions)
  mountSession(app, endOtherSessionsEndpoint, endOtherSessions)
  mountSession(app, endSessionEndpoint, endSession)
  mountPublic(app, authorizeDeviceEndpoint, authorizeDevice)
  mountPublic(app, deviceTokenEndpoint, redeemDeviceCode)
  mountSession(app, deviceRequestEndpoint, showDeviceRequest)
  mountSession(app, confirmDeviceEndpoint, confirmDevice)
}
