import type { Context as HonoContext, MiddlewareHandler } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { MARK_MS } from '../domain/account/device-mark.ts'
import { Refusal } from '../domain/refusal.ts'
import type { AppEnv } from './env.ts'

type SignInCookie = 'google_transaction' | 'google_pass' | 'known_device'

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
    if (error instanceof Refusal) forget()
    throw error
  }
}

function readCookie(c: HonoContext<AppEnv>, name: SignInCookie): string {
  const { secure } = attributesOf(c)
  return (secure ? getCookie(c, name, 'host') : getCookie(c, name)) ?? ''
}

/** Gives the domain the mark by which an account recognises this browser, and keeps a new one that the domain hands out. */
export const exchangeDeviceMark: MiddlewareHandler<AppEnv> = async (c, next) => {
  const marks: string[] = []
  const keep = (mark: string) => marks.push(mark)
  const deviceMark = {
    get given() {
      return readCookie(c, 'known_device')
    },
    keep,
  }
  c.env.ctx = { ...c.env.ctx, deviceMark }
  await next()
  const value = marks.at(-1)
  if (value !== undefined) keepCookie(c, 'known_device', { value, maxAgeMs: MARK_MS })
}

function attributesOf(c: HonoContext<AppEnv>) {
  const isHttps = c.env.ctx.origin.startsWith('https:')
  return isHttps
    ? ({ path: '/', secure: true, prefix: 'host' } as const)
    : ({ path: '/', secure: false } as const)
}
