import { z } from '../../../src/contract/zod.ts'
import type { users } from '../../db/schema/users.ts'
import type { Context } from '../context.ts'
import { sha256Hex } from '../encoding.ts'
import { days } from '../time.ts'
import { unseal } from './signed.ts'

/** Browsers keep no cookie for longer than 400 days. */
export const MARK_MS = days(365)

const loadEncryption = () => import('./encrypted.ts')

/** Which account signed in with a browser, and with which password: another password makes the mark worthless. */
const Mark = z.object({ email: z.string(), credential: z.string() })

type Owner = Pick<typeof users.$inferSelect, 'emailKey' | 'passwordHash'>

/** Marks the visitor's browser as known to an account whose user has just proven who they are. */
export async function markDevice(ctx: Context, owner: Owner): Promise<void> {
  const email = await sha256Hex(owner.emailKey)
  const credential = await sha256Hex(owner.passwordHash)
  const { encrypt } = await loadEncryption()
  const mark = await encrypt(ctx, 'device-mark', { email, credential, lifetimeMs: MARK_MS })
  ctx.deviceMark.keep(mark)
}

/** Takes the mark away from the visitor's browser, where it is one of this account. */
export async function forgetDevice(ctx: Context, { emailKey }: Pick<Owner, 'emailKey'>) {
  if ((await markedCredential(ctx, emailKey)) !== null) ctx.deviceMark.keep('')
}

/** Whether the visitor's browser is known to the account. */
export async function isMarked(ctx: Context, { emailKey, passwordHash }: Owner): Promise<boolean> {
  const credential = await markedCredential(ctx, emailKey)
  return credential === (await sha256Hex(passwordHash))
}

/**
 * The key under which tries of a day at an account are counted: its address. Browsers with a mark for this address have
 * a counter of their own, so that strangers cannot use up the tries of the account's user. All marks share it, because
 * each mark of an earlier password would allow more tries. Its key cannot clash with an address, which never contains a
 * colon.
 */
export async function triesKey(ctx: Context, emailKey: string): Promise<string> {
  const credential = await markedCredential(ctx, emailKey)
  return credential === null ? emailKey : `known:${emailKey}`
}

/** The credential in the mark of the visitor's browser, or null when it has no mark for this address. */
export async function markedCredential(ctx: Context, emailKey: string): Promise<string | null> {
  const { given } = ctx.deviceMark
  if (given === '') return null
  const cookie = { sealed: given, schema: Mark }
  const { decrypt } = await loadEncryption()
  // Cookies of before 28 November 2026 are signed, and readable. They count until they expire.
  const mark =
    (await decrypt(ctx, 'device-mark', cookie)) ?? (await unseal(ctx, 'device-mark', cookie))
  return mark?.email === (await sha256Hex(emailKey)) ? mark.credential : null
}
