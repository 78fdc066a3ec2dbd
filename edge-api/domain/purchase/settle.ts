import type { BatchItem } from 'drizzle-orm/batch'
import type { Context } from '../context.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import type { Facts } from '../ports/payments.ts'
import { cancelLink } from './ask-razorpay.ts'
import { decide } from './core/decide.ts'
import type { At, State } from './core/state.ts'
import { type Purchase, purchaseNotFound } from './purchase.ts'
import { type Loaded, onePurchase, stateStatements, statesOf } from './load.ts'
import { alertOperator, newsOf, notifyStatements } from './notify.ts'
import { isOfAnotherPurchase, recordCause, saveStatements, untilSaved } from './save.ts'
import { billingOf, supplyOf } from './tax.ts'

interface Options {
  /** What reported the facts, for the timeline of the admin pages: written when they changed something. */
  cause?: string
  /** Written in the same batch, also when nothing changed. */
  also?: readonly BatchItem<'sqlite'>[]
  /** Written in place of all else but `also`, when something of the facts is of another purchase. */
  ifOfAnother?: readonly BatchItem<'sqlite'>[]
  /** The payment that a signature proves. */
  verifiedPayment?: string | undefined
  /** Whether this is the reconcile job's check (core/next-check.ts). */
  isReconcile?: boolean
  /** The state, if an earlier batch of this call read it. */
  loaded?: Loaded | undefined
}

/**
 * Applies facts to a purchase and does everything that follows: grant, receipt, reversals, refunds, status. Nothing else
 * grants tokens for money. Facts may arrive in any order, any number of times and from any number of callers at once; `decide`
 * (core/decide.ts) says what is the same then.
 *
 * Reads the state, decides, and writes what differs in one batch: two round trips, one when nothing is new. When the
 * buyer's money changed in between, nothing was written, and it begins again. Returns the state. When another purchase has one of
 * the orders, payments, refunds or disputes that it would write, it raises an alert, writes `ifOfAnother` and `also` alone, and
 * returns the state as it was. NOT_FOUND when there is no such purchase.
 */
export async function settle(
  ctx: Context,
  { id }: Pick<Purchase, 'id'>,
  facts: Facts,
  { cause, also = [], ifOfAnother = [], verifiedPayment, isReconcile, loaded }: Options = {},
): Promise<State> {
  let known = loaded
  return untilSaved(async () => {
    const read = known ?? (await load(ctx, id))
    known = undefined
    const { state: before } = read
    const after = decide(before, facts, {
      ...atOf(ctx, before),
      verifiedPayment,
      isReconcile,
    })
    const news = newsOf(before, after)
    const { events, mails } = notifyStatements(ctx, after, news, facts)
    const saved = saveStatements(ctx, read, after)
    const causes = cause !== undefined && news.isMoneyChanged ? [recordCause(ctx, id, cause)] : []
    try {
      await ctx.db.batch({ saved, events, mails, causes, also })
    } catch (error) {
      if (!isOfAnotherPurchase(error)) throw error
      ctx.log.alert('a payment contradicts itself', {
        purchaseId: id,
        ...(cause !== undefined && { cause }),
      })
      await ctx.db.batch({ ifOfAnother, also })
      return before
    }
    alertOperator(ctx, after, news)
    // After the answer: sends the mail, and cancels the link so that the same purchase is not paid twice.
    if (mails.length > 0) ctx.waitUntil(() => deliverDueMail(ctx))
    const { razorpayLinkId } = after.purchase
    if (news.isPaid && razorpayLinkId !== null) ctx.waitUntil(() => cancelLink(ctx, razorpayLinkId))
    return after
  })
}

async function load(ctx: Context, id: string): Promise<Loaded> {
  const [loaded] = statesOf(await ctx.db.batch(stateStatements(ctx, onePurchase(id))))
  if (loaded === undefined) throw purchaseNotFound()
  return loaded
}

/** What a decision about a purchase depends on besides its state. */
export function atOf({ now, brand }: Context, { purchase }: State): At {
  const { tax } = brand.seller
  const { supply } = supplyOf(tax, billingOf(purchase), purchase.currency)
  return { now, sale: { supply, taxRate: supply === 'export' ? 0 : (tax?.rate ?? 0) } }
}
