import type { BatchItem } from 'drizzle-orm/batch'
import { type Act, type actEndpoint, DESK } from '../../../src/contract/desk.ts'
import { deskActs } from '../../db/schema/desk.ts'
import { type Account, accountQuery } from '../account/account-query.ts'
import { factorsQuery } from '../account/has-factor.ts'
import { requireOperator } from '../account/require-operator.ts'
import type { Context } from '../context.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import type { SessionVerb } from '../verb.ts'
import { planAcknowledgeAlarm } from './acts/acknowledge-alarm.ts'
import { planAskProvider } from './acts/ask-provider.ts'
import { planResendMail } from './acts/resend-mail.ts'
import { planEndSessions, planLiftSuspension, planSuspend } from './acts/suspend.ts'
import { planAnnounce, planEndAnnouncement, planSwitch } from './acts/switch.ts'

type Statement = BatchItem<'sqlite'>

/** What an act would do. Making the plan changes nothing. */
export interface Plan {
  /** A sentence for each change, shown before it is made and kept with the entry. */
  changes: string[]
  /** The purchase, mail, alarm or switch that it is about. */
  subject: string | null
  /** Makes the changes in one batch with these statements, which write the entry. */
  carryOut: (entry: readonly [Statement]) => Promise<unknown>
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
    await plan.carryOut([writeDown(ctx, operator.user.id, { ...body, plan })])
    ctx.waitUntil(() => deliverDueMail(ctx))
  }
  return {
    success: true,
    changes: plan.changes,
    ...(body.isPreview ? {} : { message: DESK.done }),
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
  }
}

interface Written {
  act: { kind: string; userId?: string }
  reason: string
  plan: Plan
}

/** The statement that writes an act down for ever. `operatorId` is an account, or `ops:` and a name of a machine. */
export function writeDown(ctx: Context, operatorId: string, { act: done, reason, plan }: Written) {
  return ctx.db.insert(deskActs).values({
    id: ctx.newId('act'),
    operatorId,
    kind: done.kind,
    userId: done.userId ?? null,
    subject: plan.subject,
    reason,
    changes: JSON.stringify(plan.changes),
    createdAt: ctx.now,
  })
}
