import type { Context as HonoContext, MiddlewareHandler } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { DEVICE_COOKIE_MS } from '../domain/account/device-cookie.ts'
import { ApiError } from '../domain/api-error.ts'
import type { AppEnv } from './env.ts'

/** `google_pass` has the secret of a sign-in ticket, and its older name. */
type SignInCookie = `google_transaction_${string}` | `google_pass_${string}` | 'known_device'

/** How many sign-ins with Google a browser has under way: an older one is forgotten, so that its cookies stay short. */
const GOOGLE_AT_ONCE = 5

/** The name of a cookie that belongs to one of several sign-ins, by the state or the code in its address. */
export function cookieOf<Kind extends 'google_transaction' | 'google_pass'>(
  kind: Kind,
  key = '',
): `${Kind}_${string}` {
  return `${kind}_${key.replaceAll(/[^\w-]/g, '').slice(0, 16)}`
}

/** Forgets the oldest sign-ins with Google when there are many. Browsers send the oldest cookies first (RFC 6265 §5.4). */
export function limitTransactions(c: HonoContext<AppEnv>): void {
  const names = Object.keys(getCookie(c)).filter((name) => name.includes('google_transaction_'))
  const { path, secure } = attributesOf(c)
  for (const name of names.slice(0, 1 - GOOGLE_AT_ONCE)) deleteCookie(c, name, { path, secure })
}

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

/**
 * Calls `use` with the cookie's value, or '' when it is absent, and deletes the cookie. It stays after a fault, such as a
 * busy database, because the browser then calls once more.
 */
export async function spendCookie<T>(
  c: HonoContext<AppEnv>,
  name: SignInCookie,
  use: (value: string) => Promise<T>,
): Promise<T> {
  const forget = () => deleteCookie(c, name, attributesOf(c))
  try {
    const result = await use(readCookie(c, name))
    forget()
    return result
  } catch (error) {
    if (error instanceof ApiError) forget()
    throw error
  }
}

/** The cookie's value, or '' when it is absent. */
export function readCookie(c: HonoContext<AppEnv>, name: SignInCookie): string {
  const { secure } = attributesOf(c)
  return (secure ? getCookie(c, name, 'host') : getCookie(c, name)) ?? ''
}

/**
 * Gives the domain the cookie by which an account recognises this browser. Sets a new one that the domain hands out, or
 * deletes it when that is ''.
 */
export const exchangeDeviceCookie: MiddlewareHandler<AppEnv> = async (c, next) => {
  const cookies: string[] = []
  const keep = (cookie: string) => cookies.push(cookie)
  const deviceCookie = {
    get given() {
      return readCookie(c, 'known_device')
    },
    keep,
  }
  c.env.ctx = { ...c.env.ctx, deviceCookie }
  await next()
  const value = cookies.at(-1)
  if (value === '') deleteCookie(c, 'known_device', attributesOf(c))
  else if (value !== undefined) keepCookie(c, 'known_device', { value, maxAgeMs: DEVICE_COOKIE_MS })
}

function attributesOf(c: HonoContext<AppEnv>) {
  const isHttps = c.env.ctx.origin.startsWith('https:')
  return isHttps
    ? ({ path: '/', secure: true, prefix: 'host' } as const)
    : ({ path: '/', secure: false } as const)
}
