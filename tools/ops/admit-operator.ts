import { userInfo } from 'node:os'
import { ADMITTED } from '../../edge-api/domain/account/require-operator.ts'
import type { Context } from '../../edge-api/domain/context.ts'
import { carryOut } from '../../edge-api/domain/desk/act.ts'
import { planAdmitOperator } from '../../edge-api/domain/desk/acts/admit-operator.ts'
import { searchStatements, toFound } from '../../edge-api/domain/desk/find.ts'
import { LaunchError } from '../launcher/bootstrap/launch-error.mjs'

/** How an operator asked for a change. */
interface Asked {
  /** False only says what would change. */
  isWrite: boolean
  /** Kept with the entry permanently; '' when none was given. */
  reason: string
}

/**
 * `ops admit-operator`: lets an operator open the desk with the second steps that the account has now. Throws a LaunchError
 * unless the address belongs to exactly one account, or when no reason is given.
 */
export async function admitOperator(ctx: Context, typed: string, asked: Asked): Promise<string[]> {
  const userId = await ownerOf(ctx, typed)
  const plan = await planAdmitOperator(ctx, userId)
  const { isWrite, reason } = asked
  if (!isWrite) {
    return [...plan.changes, 'Nothing is changed yet. To do it, add: --write --reason "WHY"']
  }
  if (reason === '')
    throw new LaunchError('Say why with --reason. It stays with the entry permanently.')
  const act = { kind: ADMITTED, userId }
  await carryOut(ctx, `ops:${accountName()}`, { act, reason, plan })
  return [...plan.changes, 'Done and logged.']
}

/** The name of the account on this machine, or its number: in containers many have no name. */
export function accountName(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? 'unknown')
  }
}

async function ownerOf(ctx: Context, typed: string): Promise<string> {
  const found = toFound((await ctx.db.batch({ found: searchStatements(ctx, typed) })).found)
  const exact = found.filter(({ name, userId }) => name === typed || userId === typed)
  const owners = [...new Set((exact.length > 0 ? exact : found).map(({ userId }) => userId))]
  const [owner = null, ...others] = owners
  if (owner === null) throw new LaunchError(`No account belongs to ${typed}.`)
  if (others.length === 0) return owner
  throw new LaunchError(`${typed} fits ${owners.length} accounts: ${owners.join(', ')}. Name one.`)
}
