import { and, eq, exists, sql } from 'drizzle-orm'
import { AUTH } from '../../../src/contract/messages.ts'
import { FACTOR } from '../../../src/contract/factor.ts'
import {
  type askRefundEndpoint,
  type mailRefundLinkEndpoint,
  REFUND,
  type refundQuoteEndpoint,
  REFUNDS_A_YEAR,
} from '../../../src/contract/refund.ts'
import { purchases } from '../../db/schema/purchases.ts'
import { mailedLinks } from '../../db/schema/sessions.ts'
import { users } from '../../db/schema/users.ts'
import {
  type Account,
  accountQuery,
  requireAccount,
  requireConfirmed,
} from '../account/account-query.ts'
import type { Claims } from '../account/signed.ts'
import { countOne, dailyCount, isWithinLimit, refuseToday } from '../account/daily-count.ts'
import { type Factors, factorsQuery, isTwoStep } from '../account/has-factor.ts'
import { isUsableLink, linkQuery, newMailedLink, storeLinkFrom } from '../account/mailed-link.ts'
import { isOpenSession } from '../account/session.ts'
import type { Context } from '../context.ts'
import { sha256Hex } from '../encoding.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import { enqueueMailFrom } from '../mail/outbox.ts'
import { Refusal } from '../refusal.ts'
import type { SessionHandler } from '../handler.ts'
import { requirePurchase } from './find-purchase.ts'
import { oweAskedRefund } from './owe-refund.ts'
import { payOwedRefunds } from './pay-owed-refunds.ts'
import { quoteOf, readRefund, selectRefund } from './refund-quote.ts'

/** The refund that the caller would get for a purchase now, or has asked for. NOTHING_TO_CHANGE says why there is none. */
export const refundQuote: SessionHandler<typeof refundQuoteEndpoint> = async (
  ctx,
  { claims, params },
) => {
  const { accounts, rows } = await ctx.db.batch({
    accounts: accountQuery(ctx, claims),
    rows: selectRefund(ctx, claims.userId, params.purchaseId),
  })
  requireAccount(accounts)
  return { success: true, refund: quoteOf(readRefund(rows), ctx.now) }
}

/**
 * Withdraws from a purchase. One batch, in which one conditional statement decides, takes the unused tokens, ends the plan
 * and writes down what is owed; a job sends the money. AMOUNT_MISMATCH when the sum has changed, STEP_UP_REQUIRED unless
 * the user was confirmed just now or has the secret of a mailed link. Asking again answers the same.
 */
export const askRefund: SessionHandler<typeof askRefundEndpoint> = async (ctx, call) => {
  const { claims, params, body } = call
  const link = body.secret === undefined ? null : await sha256Hex(body.secret)
  const state = await read(ctx, claims, params.purchaseId, link)
  const { purchase, row } = state
  const quote = quoteOf(row, ctx.now)
  if (quote.askedAt !== null) return { success: true, message: REFUND.asked, refund: quote }
  requireProof(ctx, state, body.secret)
  if (quote.amount !== body.amount) throw new Refusal('AMOUNT_MISMATCH', REFUND.changed)
  // Tokens used or money returned since the check change the sum; a pack may have been bought, or another refund asked for.
  const isOwn = isOwnLink(ctx, claims.userId, link ?? '')
  const when = sql`${isOpenSession({ ...claims, now: ctx.now })}
    AND ${link === null ? sql`true` : exists(linkQuery(ctx, isOwn))}
    AND NOT r.hasPacks AND r.askedLately < ${REFUNDS_A_YEAR}`
  const { isOwed, owe, follow } = oweAskedRefund(ctx, purchase, { row, when })
  const { after } = await ctx.db.batch({
    ...owe,
    used:
      link === null
        ? null
        : ctx.db.update(mailedLinks).set({ usedAt: ctx.now }).where(and(isOwn, isOwed)),
    ...follow,
    after: selectRefund(ctx, claims.userId, purchase.id),
  })
  const refund = quoteOf(readRefund(after), ctx.now)
  // Tokens were used, or the session ended, between the two batches.
  if (refund.askedAt === null) throw new Refusal('AMOUNT_MISMATCH', REFUND.changed)
  if (row.askedLately + 1 === REFUNDS_A_YEAR) {
    ctx.log.alert('an account buys and gives back', { userId: claims.userId })
  }
  ctx.waitUntil(() => deliverDueMail(ctx))
  ctx.waitUntil(() => payOwedRefunds(ctx))
  return { success: true, message: REFUND.asked, refund }
}

/** Mails the link that confirms a refund to an account without password and second step. STEP_UP_REQUIRED for others. */
export const mailRefundLink: SessionHandler<typeof mailRefundLinkEndpoint> = async (
  ctx,
  { claims, params },
) => {
  const { row, account, factors } = await read(ctx, claims, params.purchaseId, null)
  const { user } = account
  const { item, amount, currency, purchaseId, askedAt } = quoteOf(row, ctx.now)
  if (askedAt !== null) throw new Refusal('NOTHING_TO_CHANGE', REFUND.asked)
  if (!provesByMail(account, factors)) throw new Refusal('STEP_UP_REQUIRED', FACTOR.stepUp)
  const link = await newMailedLink(ctx, 'refund')
  const count = await dailyCount(ctx, 'mail', user.emailKey)
  const owner = sql`FROM ${users} WHERE ${users.id} = ${user.id} AND ${isWithinLimit(count)}`
  const { mail } = await ctx.db.batch({
    counted: countOne(ctx, count),
    link: storeLinkFrom(ctx, link, owner),
    mail: enqueueMailFrom(
      ctx,
      {
        kind: 'refund_link',
        payload: {
          secret: link.secret,
          purchaseId,
          item,
          refund: { amountMinor: amount, currency },
        },
        to: user.email,
        userId: user.id,
      },
      owner,
    ),
  })
  if (mail.length === 0) throw refuseToday(ctx)
  ctx.waitUntil(() => deliverDueMail(ctx))
  return { success: true, message: REFUND.linkSent }
}

async function read(ctx: Context, claims: Claims, purchaseId: string, link: string | null) {
  const { db } = ctx
  const { accounts, found, rows, factors, links } = await db.batch({
    accounts: accountQuery(ctx, claims),
    found: db.select().from(purchases).where(eq(purchases.id, purchaseId)),
    rows: selectRefund(ctx, claims.userId, purchaseId),
    factors: factorsQuery(ctx, claims.userId),
    links: link === null ? null : linkQuery(ctx, isOwnLink(ctx, claims.userId, link)),
  })
  const account = requireAccount(accounts)
  const row = readRefund(rows)
  return { account, row, purchase: requirePurchase(found), factors, links: links ?? [] }
}

type Checked = Awaited<ReturnType<typeof read>>

/** LINK_INVALID for a bad link, if the account proves itself by mail; otherwise STEP_UP_REQUIRED. */
function requireProof(ctx: Context, { account, factors, links }: Checked, secret?: string): void {
  if (secret === undefined || !provesByMail(account, factors)) {
    requireConfirmed(ctx, account)
    return
  }
  if (links.length === 0) throw new Refusal('LINK_INVALID', AUTH.linkInvalid)
}

function provesByMail({ user }: Account, factors: Factors): boolean {
  return user.passwordHash === '' && !factors.some(isTwoStep)
}

/** In SQL, whether a row of `mailed_links` is this link of the account and still works. */
function isOwnLink(ctx: Context, userId: string, secretHash: string) {
  return and(isUsableLink(ctx, secretHash, 'refund'), eq(mailedLinks.userId, userId))
}
