import { type Act, type actEndpoint, DESK } from '../../../src/contract/desk.ts'
import type { Operator } from '../account/require-operator.ts'
import type { Context } from '../context.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import type { OperatorVerb } from '../verb.ts'
import { planAcknowledgeAlarm } from './acts/acknowledge-alarm.ts'
import { planAdjustTokens } from './acts/adjust-tokens.ts'
import { planAskProvider } from './acts/ask-provider.ts'
import { planCorrectAddress, planUndoCorrection } from './acts/correct-address.ts'
import { planDeleteAccount } from './acts/delete-account.ts'
import { planExportData } from './acts/export-data.ts'
import { planRefund } from './acts/refund.ts'
import { planResendMail } from './acts/resend-mail.ts'
import { hasChanged, type Plan, refuse } from './acts/plan.ts'
import { planEndSessions, planLiftSuspension, planSuspend } from './acts/suspend.ts'
import { newEntry } from './entry.ts'
import { planAnnounce, planEndAnnouncement, planSwitch } from './acts/switch.ts'

/**
 * Tells what an act would change, or does it and writes it down in the same batch. NOT_FOUND and NOTHING_TO_CHANGE when
 * there is nothing to act on. Nobody acts on their own account.
 */
export const act: OperatorVerb<typeof actEndpoint> = async (ctx, { operator, body }) => {
  if ('userId' in body.act && body.act.userId === operator.id) throw refuse(DESK.ownAccount)
  const plan = await planOf(ctx, operator, body.act)
  if (!body.isPreview) {
    if (body.shown !== undefined && !isSame(body.shown, plan.changes)) throw hasChanged()
    await carryOut(ctx, operator.id, { ...body, plan })
    ctx.waitUntil(() => deliverDueMail(ctx))
  }
  return {
    success: true,
    changes: plan.changes,
    ...(body.isPreview ? {} : { message: DESK.done, data: plan.data }),
  }
}

function planOf(ctx: Context, operator: Operator, wanted: Act): Promise<Plan> {
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
export function carryOut(
  ctx: Context,
  operatorId: string,
  { act: { kind, userId }, reason, plan }: Done,
): Promise<unknown> {
  const { subject, changes } = plan
  return plan.carryOut(newEntry(ctx, operatorId, { kind, userId, subject, reason, changes }))
}
