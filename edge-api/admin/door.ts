import type { MiddlewareHandler } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import {
  createRemoteJWKSet,
  errors,
  jwksCache,
  type JWKSCacheInput,
  jwtVerify,
  SignJWT,
} from 'jose'
import { email } from '../../src/contract/text.ts'
import { z } from '../../src/contract/zod.ts'
import { days } from '../domain/time.ts'
import type { AdminPages } from '../http/env.ts'
import type { AdminEnv, Call } from './page.tsx'

// The sign-in before /admin: Cloudflare Access (docs/decisions/0105-admins-come-through-cloudflare-access.md).

const COOKIE = 'CF_Authorization'
const TIMEOUT_MS = 5_000

/** An assertion of a service token has no address, and opens nothing. */
const Claims = z.object({ email: email() })

/** Errors of jose about the assertion itself. Any other error means that the keys could not be had. */
const ASSERTION_FAULTS = [
  errors.JWTInvalid,
  errors.JWTExpired,
  errors.JWTClaimValidationFailed,
  errors.JWSInvalid,
  errors.JWSSignatureVerificationFailed,
  errors.JOSEAlgNotAllowed,
  errors.JOSENotSupported,
  errors.JWKSNoMatchingKey,
]

/** Access's keys as last fetched. Requests share the data and never a promise, which workerd does not allow. */
const keptKeys = new Map<string, JWKSCacheInput>()

function keysAt(team: string) {
  const kept = keptKeys.get(team) ?? {}
  keptKeys.set(team, kept)
  const url = new URL('/cdn-cgi/access/certs', team)
  return createRemoteJWKSet(url, { timeoutDuration: TIMEOUT_MS, [jwksCache]: kept })
}

/** The payload of an assertion. Throws what jose throws. */
async function verify({ team, audience, localKey }: AdminPages, assertion: string, now: number) {
  const rules = { requiredClaims: ['exp', 'iat'], currentDate: new Date(now) }
  if (localKey !== null) {
    return jwtVerify(assertion, localKey, { ...rules, algorithms: ['HS256'], ...LOCAL })
  }
  const remote = { ...rules, algorithms: ['RS256'], issuer: team, audience }
  return jwtVerify(assertion, keysAt(team), remote)
}

/** Lets in whom Access vouches for. 404 for everybody else and without settings, 503 while the keys cannot be had. */
export const door: MiddlewareHandler<AdminEnv> = async (c, next) => {
  const { pages, ctx } = c.env
  const { team, audience, host, localKey } = pages
  const isOpen = localKey !== null || (team !== '' && audience !== '')
  if (!isOpen || (host !== '' && new URL(c.req.url).host !== host)) return refuse(c)
  const assertion = c.req.header('Cf-Access-Jwt-Assertion') ?? getCookie(c, COOKIE)
  if (assertion === undefined) return localKey === null ? refuse(c) : c.redirect(LOCAL_PATH, 302)
  try {
    const { payload } = await verify(pages, assertion, ctx.now)
    const claims = Claims.safeParse(payload)
    if (!claims.success) return refuse(c)
    c.set('admin', claims.data.email)
  } catch (error) {
    if (ASSERTION_FAULTS.some((fault) => error instanceof fault)) return refuse(c)
    ctx.log.error('the keys of Cloudflare Access could not be had', error, {
      requestId: c.env.requestId,
    })
    return c.text('The sign-in cannot be checked right now. Try again in a minute.', 503, {
      'Retry-After': '60',
    })
  }
  return next()
}

const refuse = (c: Call) => c.text('Not found', 404)

/** Where `npm start` plays Access. */
export const LOCAL_PATH = '/__local/access'
const LOCAL = { issuer: 'local', audience: 'local' }
const LOCAL_MS = days(1)

/** Signs in as this address, as Access would, on a developer's machine. */
export async function signInLocally(
  c: Call,
  localKey: Uint8Array,
  address: string,
): Promise<Response> {
  const now = c.env.ctx.now
  const assertion = await new SignJWT({ email: address })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(LOCAL.issuer)
    .setAudience(LOCAL.audience)
    .setIssuedAt(new Date(now))
    .setExpirationTime(new Date(now + LOCAL_MS))
    .sign(localKey)
  setCookie(c, COOKIE, assertion, {
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    maxAge: LOCAL_MS / 1_000,
  })
  return c.redirect('/admin', 303)
}
