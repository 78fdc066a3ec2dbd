import type { Hono } from 'hono'
import { meEndpoint } from '../../src/contract/account.ts'
import { loginEndpoint, logoutEndpoint, registerEndpoint } from '../../src/contract/session.ts'
import { me } from '../domain/account/me.ts'
import { register } from '../domain/account/register.ts'
import { login } from '../domain/session/login.ts'
import { logout } from '../domain/session/logout.ts'
import type { AppEnv } from '../http/env.ts'
import { mountPublic, mountSession } from '../http/mount-endpoint.ts'

/** Accounts and who is signed in. */
export function mountAccount(app: Hono<AppEnv>): void {
  mountPublic(app, registerEndpoint, register)
  mountPublic(app, loginEndpoint, login)
  mountSession(app, logoutEndpoint, logout)
  mountSession(app, meEndpoint, me)
}
