import type { BatchItem } from 'drizzle-orm/batch'
import { ConstraintViolation, DatabaseBusy } from '../../db/database-error.ts'
import type { Context } from '../context.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import type { Facts } from '../ports/payments.ts'
import { cancelLink } from './ask-razorpay.ts'
import { type At, decide, type State } from './core.ts'
import { type Purchase, purchaseNotFound } from './find-purchase.ts'
import { type Loaded, onePurchase, stateStatements, statesOf } from './load.ts'
import { alertOperator, newsOf, notifyStatements } from './notify.ts'
import { isConflict, recordCause, saveStatements } from './save.ts'
import { billingOf, supplyOf } from './tax.ts'

/** More than there are ever callers at once: each that fails made room for another that did not. */
const TRIES = 40

interface Options {
  /** What reported the facts, for the timeline of the admin pages: written when they changed something. */
  cause?: string
  /** Written in the same batch, also when nothing changed. */
  also?: readonly BatchItem<'sqlite'>[]
  /** The payment that a signature proves. */
  provenPayment?: string | undefined
  /** Whether this is the reconcile job's check (core.ts). */
  isReconcile?: boolean
  /** The state, if an earlier batch of this call read it. */
  loaded?: Loaded | undefined
}

/**
 * Learns facts about a purchase and does everything that follows: grant, receipt, reversals, refunds, status. Nothing else
 * grants tokens. Facts may arrive in any order, any number of times and from any number of callers at once; the same facts
 * always make the same state.
 *
 * Reads the state, decides (core.ts), and writes what differs in one batch: two round trips, one when nothing is new. When the
 * buyer's money changed in between, nothing was written, and it begins again. Returns the state. NOT_FOUND when there is no such
 * purchase.
 */
export async function settle(
  ctx: Context,
  { id }: Pick<Purchase, 'id'>,
  facts: Facts,
  { cause, also = [], provenPayment, isReconcile, loaded }: Options = {},
): Promise<State> {
  let known = loaded
  for (let tries = 0; tries < TRIES; tries += 1) {
    const isOfEarlierBatch = known !== undefined
    const read = known ?? (await load(ctx, id, facts))
    known = undefined
    const { state: before } = read
    const after = decide(before, ownFacts(facts, read), {
      ...atOf(ctx, before),
      provenPayment,
      isReconcile,
    })
    const news = newsOf(before, after)
    const { events, mails } = notifyStatements(ctx, after, news, facts)
    const saved = saveStatements(ctx, read, after)
    const causes = cause !== undefined && news.isReported ? [recordCause(ctx, id, cause)] : []
    try {
      await ctx.db.batch({ saved, events, mails, causes, also })
    } catch (error) {
      // The earlier batch did not know what of this is another purchase's.
      const isForeign = isOfEarlierBatch && error instanceof ConstraintViolation
      if (isConflict(error) || isForeign) continue
      throw error
    }
    alertOperator(ctx, after, news)
    // After the answer: sends the mail, and cancels the link so that the same purchase is not paid twice.
    if (mails.length > 0) ctx.waitUntil(() => deliverDueMail(ctx))
    const { razorpayLinkId } = after.purchase
    if (news.isPaid && razorpayLinkId !== null) ctx.waitUntil(() => cancelLink(ctx, razorpayLinkId))
    return after
  }
  throw new DatabaseBusy('the money of an account changes all the time')
}

async function load(ctx: Context, id: string, facts: Facts): Promise<Loaded> {
  const [loaded] = statesOf(await ctx.db.batch(stateStatements(ctx, onePurchase(id), facts)))
  if (loaded === undefined) throw purchaseNotFound()
  return loaded
}

/** The facts without what belongs to other purchases. */
function ownFacts(facts: Facts, { foreign }: Loaded): Facts {
  const isOwnOrder = ({ razorpayOrderId }: { razorpayOrderId: string }) =>
    !foreign.has(razorpayOrderId)
  return {
    ...facts,
    orders: facts.orders.filter(isOwnOrder),
    linkOrders: facts.linkOrders.filter(isOwnOrder),
    payments: facts.payments.filter(({ paymentId }) => !foreign.has(paymentId)),
    refundsAndDisputes: facts.refundsAndDisputes.filter(({ id }) => !foreign.has(id)),
  }
}

/** What a decision about a purchase depends on besides its state. */
export function atOf({ now, brand }: Context, { purchase }: State): At {
  const { tax } = brand.seller
  const { supply } = supplyOf(tax, billingOf(purchase), purchase.currency)
  return { now, sale: { supply, taxRate: supply === 'export' ? 0 : (tax?.rate ?? 0) } }
}
