import type { Context as HonoContext } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { AppEnv } from './env.ts'

type SignInCookie = 'google_transaction' | 'google_pass'

/**
 * Sets a cookie that scripts cannot read and that other sites cannot send with a POST. With https its name starts
 * with `__Host-`, so that no other host of the domain can set it.
 */
export function keepCookie(
  c: HonoContext<AppEnv>,
  name: SignInCookie,
  { value, maxAgeMs }: { value: string; maxAgeMs: number },
): void {
  setCookie(c, name, value, {
    ...attributesOf(c),
    httpOnly: true,
    sameSite: 'Lax',
    maxAge: Math.floor(maxAgeMs / 1_000),
  })
}

/** The cookie's value, or '' when it is absent. The answer deletes the cookie. */
export function takeCookie(c: HonoContext<AppEnv>, name: SignInCookie): string {
  const { secure } = attributesOf(c)
  const value = secure ? getCookie(c, name, 'host') : getCookie(c, name)
  deleteCookie(c, name, attributesOf(c))
  return value ?? ''
}

function attributesOf(c: HonoContext<AppEnv>) {
  const isHttps = c.env.ctx.origin.startsWith('https:')
  return isHttps
    ? ({ path: '/', secure: true, prefix: 'host' } as const)
    : ({ path: '/', secure: false } as const)
}
