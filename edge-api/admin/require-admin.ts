import type { MiddlewareHandler } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { html } from 'hono/html'
import { jwtVerify, SignJWT } from 'jose'
import { email } from '../../src/contract/text.ts'
import { z } from '../../src/contract/zod.ts'
import { days } from '../domain/time.ts'
import { isTokenFault, remoteKeys } from '../gateways/remote-keys.ts'
import type { AdminPages } from '../http/env.ts'
import type { AdminEnv, Call } from './page.tsx'

// The sign-in before /admin: Cloudflare Access (docs/decisions/0105-admins-come-through-cloudflare-access.md).

const COOKIE = 'CF_Authorization'

/** An assertion of a service token has no address, and opens nothing. */
const Claims = z.object({ email: email() })

/** The payload of an assertion. Throws what jose throws. */
async function verify({ team, audience, localKey }: AdminPages, assertion: string, now: number) {
  const rules = { requiredClaims: ['exp', 'iat'], currentDate: new Date(now) }
  if (localKey !== null) {
    return jwtVerify(assertion, localKey, { ...rules, algorithms: ['HS256'], ...LOCAL })
  }
  const remote = { ...rules, algorithms: ['RS256'], issuer: team, audience }
  const keys = remoteKeys(new URL('/cdn-cgi/access/certs', team).href)
  return jwtVerify(assertion, keys, remote)
}

/** Lets in whom Access vouches for. 404 for everybody else and without settings, 503 while the keys cannot be had. */
export const requireAdmin: MiddlewareHandler<AdminEnv> = async (c, next) => {
  const { pages, ctx } = c.env
  const { team, audience, host, localKey } = pages
  const isOpen = localKey !== null || (team !== '' && audience !== '')
  if (!isOpen || (host !== '' && new URL(c.req.url).host !== host)) return notFound(c)
  const assertion = c.req.header('Cf-Access-Jwt-Assertion') ?? getCookie(c, COOKIE)
  if (assertion === undefined) return localKey === null ? notFound(c) : c.redirect(LOCAL_PATH, 302)
  try {
    const { payload } = await verify(pages, assertion, ctx.now)
    const claims = Claims.safeParse(payload)
    if (!claims.success) return notFound(c)
    c.set('admin', claims.data.email)
  } catch (error) {
    if (isTokenFault(error)) return notFound(c)
    ctx.log.error('the keys of Cloudflare Access could not be had', error, {
      requestId: c.env.requestId,
    })
    return c.text('The sign-in cannot be checked right now. Try again in a minute.', 503, {
      'Retry-After': '60',
    })
  }
  return next()
}

const notFound = (c: Call) => c.text('Not found', 404)

/** Where `npm start` plays Access. */
export const LOCAL_PATH = '/__local/access'
const LOCAL = { issuer: 'local', audience: 'local' }
const LOCAL_MS = days(1)

/** The sign-in of a developer's machine: a form, and what it sends. Any address opens the admin pages. */
export async function playAccess(c: Call): Promise<Response> {
  const { pages, ctx } = c.env
  if (pages.localKey === null) return notFound(c)
  const { data: address } = email().safeParse((await c.req.parseBody())['email'])
  if (address === undefined) {
    return c.html(
      html`<!doctype html>
        <html lang="en">
          <title>Sign in</title>
          <h1>Sign in</h1>
          <p>
            On this machine the site plays Cloudflare Access. Any address opens the admin pages.
          </p>
          <form method="post">
            <label
              >Address <input name="email" type="email" value="${ctx.brand.operatorEmail}" required
            /></label>
            <button>Sign in</button>
          </form>
        </html>`,
    )
  }
  const assertion = await new SignJWT({ email: address })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(LOCAL.issuer)
    .setAudience(LOCAL.audience)
    .setIssuedAt(new Date(ctx.now))
    .setExpirationTime(new Date(ctx.now + LOCAL_MS))
    .sign(pages.localKey)
  const maxAge = LOCAL_MS / 1_000
  setCookie(c, COOKIE, assertion, { path: '/', httpOnly: true, sameSite: 'Lax', maxAge })
  return c.redirect('/admin', 303)
}
