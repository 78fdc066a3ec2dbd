import { DESK } from '../../../src/contract/desk.ts'
import { type Act, type actEndpoint, DESK_ACT } from '../../../src/contract/desk-acts.ts'
import type { Operator } from '../account/require-operator.ts'
import type { Context } from '../context.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import type { OperatorHandler } from '../handler.ts'
import { ACCESS } from './acts/access.ts'
import { planAskProvider } from './acts/ask-provider.ts'
import { ADDRESS } from './acts/correct-address.ts'
import { GOODWILL } from './acts/goodwill.ts'
import { ON_REQUEST } from './acts/on-request.ts'
import { planRefund } from './acts/refund.ts'
import { planResendMail } from './acts/resend-mail.ts'
import { planAcknowledgeAlarm } from './alarms.ts'
import { type ActOf, hasChanged, newEntry, type PlannedAct, refuse } from './planned-act.ts'
import { SWITCHES } from './switches.ts'

/**
 * Tells what an act would change, or does it and writes it down in the same batch. NOT_FOUND and NOTHING_TO_CHANGE when
 * there is nothing to act on. Nobody acts on their own account.
 */
export const act: OperatorHandler<typeof actEndpoint> = async (given, { operator, body }) => {
  // The account's history shows our support, without the operator's device and network.
  const ctx = { ...given, visitor: { address: '', ipPrefix: '', device: 'Our support' } }
  if ('userId' in body.act && body.act.userId === operator.id) throw refuse(DESK_ACT.ownAccount)
  const plan = await planOf(ctx, body.act, operator)
  const data = body.isPreview ? undefined : await plan.data?.()
  if (!body.isPreview) {
    if (body.shown !== undefined && !isSame(body.shown, plan.changes)) throw hasChanged()
    await carryOut(ctx, operator.id, { ...body, plan })
    ctx.waitUntil(() => deliverDueMail(ctx))
  }
  return {
    success: true,
    changes: plan.changes,
    ...(body.isPreview ? {} : { message: DESK.done, data }),
  }
}

/** What each act would do. To add an act, see CONTRIBUTING.md. */
const PLANNERS: {
  [Kind in Act['kind']]: (
    ctx: Context,
    wanted: ActOf<Kind>,
    operator: Operator,
  ) => Promise<PlannedAct>
} = {
  ...ACCESS,
  ...ADDRESS,
  ...GOODWILL,
  ...ON_REQUEST,
  ...SWITCHES,
  acknowledge_alarm: planAcknowledgeAlarm,
  ask_provider: planAskProvider,
  refund: planRefund,
  resend_mail: planResendMail,
}

function planOf<Kind extends Act['kind']>(
  ctx: Context,
  wanted: { kind: Kind } & ActOf<Kind>,
  operator: Operator,
): Promise<PlannedAct> {
  return PLANNERS[wanted.kind](ctx, wanted, operator)
}

const isSame = (shown: readonly string[], changes: readonly string[]) =>
  JSON.stringify(shown) === JSON.stringify(changes)

interface Done {
  act: { kind: string; userId?: string }
  reason: string
  plan: PlannedAct
}

/** Carries out the planned act and records it permanently. `operatorId` is an account, or `ops:` and a name of a machine. */
export function carryOut(
  ctx: Context,
  operatorId: string,
  { act: { kind, userId }, reason, plan }: Done,
): Promise<unknown> {
  const { subject, changes } = plan
  return plan.carryOut(newEntry(ctx, operatorId, { kind, userId, subject, reason, changes }))
}
