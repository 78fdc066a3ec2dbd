import { existsSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { sql } from 'drizzle-orm'
import { ADMITTED } from '../../edge-api/domain/account/require-operator.ts'
import type { Context } from '../../edge-api/domain/context.ts'
import { carryOut as carryOutPlan } from '../../edge-api/domain/desk/act.ts'
import { planAdmitOperator } from '../../edge-api/domain/desk/acts/admit-operator.ts'
import { planDeleteAccount, planExportData } from '../../edge-api/domain/desk/acts/on-request.ts'
import type { PlannedAct } from '../../edge-api/domain/desk/planned-act.ts'
import { planResendMail } from '../../edge-api/domain/desk/acts/resend-mail.ts'
import { LaunchError } from '../launcher/bootstrap/launch-error.mjs'
import { ownerOf } from './look-up.ts'

/** How an operator asked for a change. */
export interface Asked {
  /** False only tells what would change. */
  isWrite: boolean
  /** Kept with the entry permanently; '' when none was given. */
  reason: string
}

/** `ops resend`: does the same as the desk's "Send again". Throws a LaunchError without such a mail. */
export async function resendMail(ctx: Context, mailId: string, asked: Asked): Promise<string[]> {
  const [rows] = await ctx.db.batch([
    ctx.db.all<{ userId: string | null }>(
      sql`SELECT user_id AS userId FROM mails WHERE id = ${mailId}`,
    ),
  ])
  const [mail] = rows
  if (mail === undefined)
    throw new LaunchError(`There is no mail ${mailId}. npm run ops -- look shows them.`)
  const { userId } = mail
  if (userId === null) {
    throw new LaunchError(`${mailId} belongs to no account. While it waits, each minute tries it.`)
  }
  const plan = await planResendMail(ctx, { kind: 'resend_mail', userId, mailId })
  return carryOut(ctx, { act: { kind: 'resend_mail', userId }, plan, asked })
}

/** `ops delete`: does the same as the desk's "Delete", to the account that something belongs to. */
export function deleteUser(ctx: Context, typed: string, asked: Asked): Promise<string[]> {
  return withFollowing(ctx, async (own) => {
    const userId = await ownerOf(own, typed)
    const plan = await planDeleteAccount(own, { kind: 'delete_account', userId })
    const lines = await carryOut(own, { act: { kind: 'delete_account', userId }, plan, asked })
    return [`About ${userId}:`, ...lines]
  })
}

/** `ops admit-operator`: lets an operator open the desk with the second steps that the account has now. */
export async function admitOperator(ctx: Context, typed: string, asked: Asked): Promise<string[]> {
  const userId = await ownerOf(ctx, typed)
  const plan = await planAdmitOperator(ctx, userId)
  return carryOut(ctx, { act: { kind: ADMITTED, userId }, plan, asked })
}

interface Exported {
  typed: string
  /** Where the export is written. */
  file: string
}

/**
 * `ops export`: does the same as the desk's "Export", into a file for its owner alone. Throws a LaunchError when it
 * exists.
 */
export async function exportUser(
  ctx: Context,
  { typed, file }: Exported,
  asked: Asked,
): Promise<string[]> {
  if (existsSync(file)) throw new LaunchError(`${file} exists. Delete it, or choose another name.`)
  const userId = await ownerOf(ctx, typed)
  const plan = await planExportData(ctx, { kind: 'export_data', userId })
  const lines = await carryOut(ctx, { act: { kind: 'export_data', userId }, plan, asked })
  if (!asked.isWrite) return [`About ${userId}:`, ...lines]
  writeFileSync(file, `${JSON.stringify(plan.data, null, 2)}\n`, { mode: 0o600 })
  return [`About ${userId}:`, ...lines, `Wrote ${file}.`]
}

/** Runs an act and then the work that would follow an answer, such as cancelling payment links at the provider. */
async function withFollowing(
  ctx: Context,
  run: (ctx: Context) => Promise<string[]>,
): Promise<string[]> {
  const waiting: (() => Promise<void>)[] = []
  const lines = await run({ ...ctx, waitUntil: (work) => waiting.push(work) })
  await Promise.all(waiting.map((work) => work()))
  return lines
}

interface Wanted {
  act: { kind: string; userId: string }
  plan: PlannedAct
  asked: Asked
}

/** Does what was planned and writes it down as the desk does, or only says what it would be. */
export async function carryOut(ctx: Context, { act, plan, asked }: Wanted): Promise<string[]> {
  const { isWrite, reason } = asked
  if (!isWrite) {
    return [...plan.changes, 'Nothing is changed yet. To do it, add: --write --reason "WHY"']
  }
  if (reason === '')
    throw new LaunchError('Say why with --reason. It stays with the entry permanently.')
  const operator = `ops:${userInfo().username}`
  await carryOutPlan(ctx, operator, { act, reason, plan })
  return [...plan.changes, 'Done and logged.']
}
