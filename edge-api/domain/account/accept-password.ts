import { FIELD } from '../../../src/contract/messages.ts'
import type { Context } from '../context.ts'
import { Refusal } from '../refusal.ts'
import { hashPassword } from '../session/password-hash.ts'
import { isCommonPassword, namesOf } from './common-password.ts'

interface Choice {
  password: string
  owner: { username: string; email: string }
  /** The field of the form that a refusal speaks of. */
  path: string
}

/**
 * Answers the hash of a password somebody chose. VALIDATION_FAILED for one that everybody tries first,
 * that is the account's own name, or (where a list is configured) that stands in a data breach. The
 * list is asked while the hash is made: an answer that is late costs no more than its own time.
 */
export async function acceptPassword(
  ctx: Context,
  { password, owner, path }: Choice,
): Promise<string> {
  const names = { own: namesOf(owner), productName: ctx.brand.productName }
  if (isCommonPassword(password, names)) throw refusePassword(path, FIELD.passwordCommon)
  const [isBreached, hash] = await Promise.all([
    ctx.breaches?.has(password) ?? false,
    hashPassword(password, ctx.randomBytes),
  ])
  if (isBreached) throw refusePassword(path, FIELD.passwordBreached)
  return hash
}

/** VALIDATION_FAILED for one field. */
export function refusePassword(path: string, msg: string): Refusal {
  return new Refusal('VALIDATION_FAILED', msg, { errors: [{ path, msg }] })
}
