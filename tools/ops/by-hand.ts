import { userInfo } from 'node:os'
import { sql } from 'drizzle-orm'
import type { Context } from '../../edge-api/domain/context.ts'
import { carryOut as carryOutPlan, type Plan } from '../../edge-api/domain/desk/act.ts'
import { planResendMail } from '../../edge-api/domain/desk/acts/resend-mail.ts'
import { LaunchError } from '../launcher/bootstrap/launch-error.mjs'

/** How an operator asked for a change. */
export interface Asked {
  /** False only tells what would change. */
  isWrite: boolean
  /** Kept with the entry for ever; '' when none was given. */
  reason: string
}

/** `ops resend`: what the desk's "Send again" does. Throws a LaunchError without such a mail. */
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

interface Wanted {
  act: { kind: string; userId: string }
  plan: Plan
  asked: Asked
}

/** Does what was planned and writes it down as the desk does, or only says what it would be. */
export async function carryOut(ctx: Context, { act, plan, asked }: Wanted): Promise<string[]> {
  const { isWrite, reason } = asked
  if (!isWrite) {
    return [...plan.changes, 'Nothing is changed yet. To do it, add: --write --reason "WHY"']
  }
  if (reason === '')
    throw new LaunchError('Say why, with --reason: it stays with the entry for ever.')
  const operator = `ops:${userInfo().username}`
  await carryOutPlan(ctx, operator, { act, reason, plan })
  return [...plan.changes, 'Done, and written down.']
}
