import { z } from '../../../src/contract/zod.ts'
import type { users } from '../../db/schema/users.ts'
import type { Context } from '../context.ts'
import { sha256Hex } from '../encoding.ts'
import { days } from '../time.ts'
import { verifyValue } from '../crypto/sign.ts'

/** Browsers keep no cookie for longer than 400 days. */
export const DEVICE_COOKIE_MS = days(365)

/** The older name of the device cookie, which cookies that browsers have still carry. */
const AUDIENCE = 'device-mark'

const loadEncryption = () => import('../crypto/encrypt.ts')

/**
 * Hashes of the account's email key and of its password hash (`credential`): another password makes the cookie of an account
 * worthless.
 */
const CookieContent = z.object({ email: z.string(), credential: z.string() })

type User = Pick<typeof users.$inferSelect, 'emailKey' | 'passwordHash'>

/** Marks the visitor's browser as known to an account whose user has just proved who they are. */
export async function rememberDevice(ctx: Context, user: User): Promise<void> {
  const email = await sha256Hex(user.emailKey)
  const credential = await sha256Hex(user.passwordHash)
  const { encrypt } = await loadEncryption()
  const content = await encrypt(ctx, AUDIENCE, {
    email,
    credential,
    lifetimeMs: DEVICE_COOKIE_MS,
  })
  ctx.deviceCookie.keep(content)
}

/** Deletes the device cookie of the visitor's browser, where it is of this account. */
export async function forgetDevice(ctx: Context, { emailKey }: Pick<User, 'emailKey'>) {
  if ((await knownBrowserKey(ctx, emailKey)) !== null) ctx.deviceCookie.keep('')
}

/** Whether the visitor's browser has a device cookie of this account and its present password. */
export async function hasDeviceCookie(
  ctx: Context,
  { emailKey, passwordHash }: User,
): Promise<boolean> {
  return (await passwordInCookie(ctx, emailKey)) === (await sha256Hex(passwordHash))
}

/**
 * The key by which browsers with a device cookie for this address are counted and queued, or null for all other browsers. It is
 * theirs alone, so that strangers cannot use up the attempts of the account's user. Browsers with the same password share it, and
 * those with an earlier one have another: whoever stole that, or registered the address before its owner, has such a cookie. It
 * cannot clash with an address, which never contains a colon.
 */
export async function knownBrowserKey(ctx: Context, emailKey: string): Promise<string | null> {
  const credential = await passwordInCookie(ctx, emailKey)
  return credential === null ? null : `known:${emailKey}:${credential}`
}

/** The device cookie of the visitor's browser for counters: the same in each spelling that Base64 has of it. */
export function cookieInBytes({ deviceCookie: { given } }: Context): string {
  return given
    .split('.')
    .map((part) => Buffer.from(part, 'base64url').toString('base64url'))
    .join('.')
}

/** The `credential` in the device cookie of the visitor's browser; null without a cookie for this address. */
async function passwordInCookie(ctx: Context, emailKey: string): Promise<string | null> {
  const { given } = ctx.deviceCookie
  if (given === '') return null
  const cookie = { value: given, schema: CookieContent }
  const { decrypt } = await loadEncryption()
  // Cookies of before 28 November 2026 are signed, and readable. They count until they expire.
  const content =
    (await decrypt(ctx, AUDIENCE, cookie)) ?? (await verifyValue(ctx, AUDIENCE, cookie))
  return content?.email === (await sha256Hex(emailKey)) ? content.credential : null
}
