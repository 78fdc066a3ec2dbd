import { type SQL, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { type Act, type actEndpoint, DESK } from '../../../src/contract/desk.ts'
import { insertFrom } from '../../db/insert-from.ts'
import { deskActs } from '../../db/schema/desk.ts'
import { type Account, accountQuery } from '../account/account-query.ts'
import { factorsQuery } from '../account/has-factor.ts'
import { requireOperator } from '../account/require-operator.ts'
import type { Context } from '../context.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import type { SessionVerb } from '../verb.ts'
import { planAcknowledgeAlarm } from './acts/acknowledge-alarm.ts'
import { planAdjustTokens } from './acts/adjust-tokens.ts'
import { planAskProvider } from './acts/ask-provider.ts'
import { planCorrectAddress, planUndoCorrection } from './acts/correct-address.ts'
import { planDeleteAccount } from './acts/delete-account.ts'
import { planExportData } from './acts/export-data.ts'
import { planRefund } from './acts/refund.ts'
import { planResendMail } from './acts/resend-mail.ts'
import { hasChanged } from './acts/target.ts'
import { planEndSessions, planLiftSuspension, planSuspend } from './acts/suspend.ts'
import { planAnnounce, planEndAnnouncement, planSwitch } from './acts/switch.ts'

type Statement = BatchItem<'sqlite'>

/** What an act would do. Making the plan changes nothing. */
export interface Plan {
  /** A sentence for each change, shown before it is made and kept with the entry. */
  changes: string[]
  /** The purchase, mail, alarm or switch that it is about. */
  subject: string | null
  /** What an export hands to the operator. */
  data?: Record<string, unknown>
  /** Makes the changes in one batch with the statement that writes the entry: `entry`, or one of `written`. */
  carryOut: (entry: readonly [Statement], written: Written) => Promise<unknown>
}

/** The entry for a plan that may be overtaken: whoever carries it out says when it is written, and follows that. */
export interface Written {
  id: string
  /** Writes the entry under a condition. Returns a row when it did. */
  when: (condition: SQL) => Statement & PromiseLike<{ id: string }[]>
  /** In SQL, whether the entry was written. */
  isWritten: SQL
}

/**
 * Tells what an act would change, or does it and writes it down in the same batch. NOT_FOUND and NOTHING_TO_CHANGE when
 * there is nothing to act on.
 */
export const act: SessionVerb<typeof actEndpoint> = async (ctx, { claims, body }) => {
  const { accounts, factors } = await ctx.db.batch({
    accounts: accountQuery(ctx, claims),
    factors: factorsQuery(ctx, claims.userId),
  })
  const operator = requireOperator(ctx, accounts, factors)
  const plan = await planOf(ctx, operator, body.act)
  if (!body.isPreview) {
    if (body.shown !== undefined && !isSame(body.shown, plan.changes)) throw hasChanged()
    await carryOut(ctx, operator.user.id, { ...body, plan })
    ctx.waitUntil(() => deliverDueMail(ctx))
  }
  return {
    success: true,
    changes: plan.changes,
    ...(body.isPreview ? {} : { message: DESK.done, data: plan.data }),
  }
}

function planOf(ctx: Context, operator: Account, wanted: Act): Promise<Plan> {
  switch (wanted.kind) {
    case 'end_sessions':
      return planEndSessions(ctx, wanted)
    case 'suspend':
      return planSuspend(ctx, wanted)
    case 'lift_suspension':
      return planLiftSuspension(ctx, wanted)
    case 'resend_mail':
      return planResendMail(ctx, wanted)
    case 'ask_provider':
      return planAskProvider(ctx, wanted, operator)
    case 'acknowledge_alarm':
      return planAcknowledgeAlarm(ctx, wanted, operator)
    case 'announce':
      return planAnnounce(ctx, wanted)
    case 'end_announcement':
      return planEndAnnouncement(ctx)
    case 'switch':
      return planSwitch(ctx, wanted)
    case 'refund':
      return planRefund(ctx, wanted, operator)
    case 'adjust_tokens':
      return planAdjustTokens(ctx, wanted)
    case 'correct_address':
      return planCorrectAddress(ctx, wanted)
    case 'undo_correction':
      return planUndoCorrection(ctx, wanted)
    case 'export_data':
      return planExportData(ctx, wanted)
    case 'delete_account':
      return planDeleteAccount(ctx, wanted)
  }
}

const isSame = (shown: readonly string[], changes: readonly string[]) =>
  JSON.stringify(shown) === JSON.stringify(changes)

interface Done {
  act: { kind: string; userId?: string }
  reason: string
  plan: Plan
}

/** Does what was planned and writes it down for ever. `operatorId` is an account, or `ops:` and a name of a machine. */
export function carryOut(ctx: Context, operatorId: string, done: Done): Promise<unknown> {
  const row = rowOf(ctx, operatorId, done)
  return done.plan.carryOut([ctx.db.insert(deskActs).values(row)], writtenAs(ctx, row))
}

function rowOf(ctx: Context, operatorId: string, { act: done, reason, plan }: Done) {
  return {
    id: ctx.newId('act'),
    operatorId,
    kind: done.kind,
    userId: done.userId ?? null,
    subject: plan.subject,
    reason,
    changes: JSON.stringify(plan.changes),
    createdAt: ctx.now,
  }
}

function writtenAs({ db }: Context, row: ReturnType<typeof rowOf>): Written {
  return {
    id: row.id,
    when: (condition) =>
      db.all(sql`${insertFrom(deskActs, row, sql`WHERE ${condition}`)} RETURNING id`),
    isWritten: sql`EXISTS (SELECT 1 FROM ${deskActs} WHERE ${deskActs.id} = ${row.id})`,
  }
}
