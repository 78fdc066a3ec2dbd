import { z } from '../../../src/contract/zod.ts'
import type { users } from '../../db/schema/users.ts'
import type { Context } from '../context.ts'
import { sha256Hex } from '../encoding.ts'
import { days } from '../time.ts'
import { verifyValue } from '../crypto/sign.ts'

/** Browsers keep no cookie for longer than 400 days. */
export const DEVICE_COOKIE_MS = days(365)

const loadEncryption = () => import('../crypto/encrypt.ts')

/** Which account signed in with a browser, and with which password: another password makes the cookie worthless. */
const CookieContent = z.object({ email: z.string(), credential: z.string() })

type Owner = Pick<typeof users.$inferSelect, 'emailKey' | 'passwordHash'>

/** Marks the visitor's browser as known to an account whose user has just proved who they are. */
export async function rememberDevice(ctx: Context, owner: Owner): Promise<void> {
  const email = await sha256Hex(owner.emailKey)
  const credential = await sha256Hex(owner.passwordHash)
  const { encrypt } = await loadEncryption()
  const content = await encrypt(ctx, 'device-mark', {
    email,
    credential,
    lifetimeMs: DEVICE_COOKIE_MS,
  })
  ctx.deviceCookie.keep(content)
}

/** Deletes the device cookie of the visitor's browser, where it is of this account. */
export async function forgetDevice(ctx: Context, { emailKey }: Pick<Owner, 'emailKey'>) {
  if ((await rememberedCredential(ctx, emailKey)) !== null) ctx.deviceCookie.keep('')
}

/** Whether the visitor's browser is known to the account. */
export async function isKnownDevice(
  ctx: Context,
  { emailKey, passwordHash }: Owner,
): Promise<boolean> {
  const credential = await rememberedCredential(ctx, emailKey)
  return credential === (await sha256Hex(passwordHash))
}

/**
 * The key under which the attempts of a day to get into an account are counted: its address. Browsers with a cookie for this
 * address have a counter of their own, so that strangers cannot use up the attempts of the account's user. All cookies share
 * it, because each cookie of an earlier password would allow more attempts. Its key cannot clash with an address, which never
 * contains a colon.
 */
export async function attemptsKey(ctx: Context, emailKey: string): Promise<string> {
  const credential = await rememberedCredential(ctx, emailKey)
  return credential === null ? emailKey : `known:${emailKey}`
}

/** The credential in the device cookie of the visitor's browser, or null when it has none for this address. */
export async function rememberedCredential(ctx: Context, emailKey: string): Promise<string | null> {
  const { given } = ctx.deviceCookie
  if (given === '') return null
  const cookie = { sealed: given, schema: CookieContent }
  const { decrypt } = await loadEncryption()
  // Cookies of before 28 November 2026 are signed, and readable. They count until they expire.
  const content =
    (await decrypt(ctx, 'device-mark', cookie)) ?? (await verifyValue(ctx, 'device-mark', cookie))
  return content?.email === (await sha256Hex(emailKey)) ? content.credential : null
}
