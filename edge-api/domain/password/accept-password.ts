import { FIELD } from '../../../src/contract/field-messages.ts'
import type { Context } from '../context.ts'
import { ApiError } from '../api-error.ts'
import { type IsCommonWord, loadCommonWords } from './common-passwords.ts'
import { hashPassword, normalPassword } from '../crypto/hash-password.ts'

interface Choice {
  password: string
  owner: { username: string; email: string }
  /** The form field that a rejection names. */
  path: string
  /** The account of a session or of a reset link, which waits for its hash apart from the strangers on its network. */
  known?: string
}

/**
 * Answers the hash of a new password. VALIDATION_FAILED when it is common, when it is the account's own name, or,
 * where a list is configured, when it was in a data breach. The list is asked while the hash is computed.
 */
export async function acceptPassword(
  ctx: Context,
  { password: typed, owner, path, known }: Choice,
): Promise<string> {
  const password = normalPassword(typed)
  const isCommonWord = await loadCommonWords()
  const names = { own: namesOf(owner), productName: ctx.brand.productName, isCommonWord }
  if (isCommonPassword(password, names)) throw rejectPassword(path, FIELD.passwordCommon)
  const toHash = () => hashPassword(password, ctx.randomBytes, ctx.hashCost)
  const [isBreached, hash] = await Promise.all([
    ctx.breaches?.has(password) ?? false,
    ctx.queues.hashes.run(ctx.visitor.ipPrefix, toHash, known),
  ])
  if (isBreached) throw rejectPassword(path, FIELD.passwordBreached)
  return hash
}

/** VALIDATION_FAILED for one field. */
export function rejectPassword(path: string, msg: string): ApiError {
  return new ApiError('VALIDATION_FAILED', msg, { errors: [{ path, msg }] })
}

const LOOK_ALIKES: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

/** The account's own names, which are not accepted as passwords. */
export function namesOf({ username, email }: { username: string; email: string }): string[] {
  return [username, email, email.split('@')[0] ?? '']
}

interface Known {
  own: readonly string[]
  productName: string
  isCommonWord: IsCommonWord
}

/**
 * True for a common password, for a common word with digits and signs around it, in look-alike characters too, for the
 * product's name and for the account's own name.
 */
export function isCommonPassword(
  password: string,
  { own, productName, isCommonWord }: Known,
): boolean {
  const lower = password.toLowerCase()
  const bare = lower.replace(/[\d\W_]+$/, '').replace(/^[\d\W_]+/, '')
  const plain = bare.replaceAll(/[01345@$!7]/g, (sign) => LOOK_ALIKES[sign] ?? sign)
  if ([lower, bare, plain].some(isCommonWord) || bare === productName.toLowerCase()) return true
  return own.some((name) => name.length >= 3 && name.toLowerCase() === lower)
}
