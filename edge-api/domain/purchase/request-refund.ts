import { and, eq, exists, sql } from 'drizzle-orm'
import { AUTH } from '../../../src/contract/messages.ts'
import { FACTOR } from '../../../src/contract/factor.ts'
import {
  type askRefundEndpoint,
  type mailRefundLinkEndpoint,
  REFUND,
  type RefundQuote,
  type refundQuoteEndpoint,
  REFUNDS_A_YEAR,
} from '../../../src/contract/refund.ts'
import { mailedLinks } from '../../db/schema/sessions.ts'
import { users } from '../../db/schema/users.ts'
import {
  type Account,
  accountQuery,
  requireSignedIn,
  requireConfirmed,
} from '../session/account-query.ts'
import { countOne, dailyCounter, isWithinLimit, rejectToday } from '../account/daily-limit.ts'
import { type Factors, factorsQuery, isTwoStep } from '../account/has-factor.ts'
import {
  isUsableLink,
  linkQuery,
  newMailedLink,
  storeLinkFrom,
} from '../mailed-link/mailed-link.ts'
import { isOpenSession } from '../session/session.ts'
import type { Context, Claims } from '../context.ts'
import { sha256Hex } from '../encoding.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import { enqueueMailFrom } from '../mail/outbox.ts'
import { ApiError } from '../api-error.ts'
import type { SessionHandler } from '../handler.ts'
import {
  listRefunds,
  readRefundable,
  refundOf,
  refundStatements,
  requestStatements,
} from './refundable.ts'
import { untilSaved } from './save.ts'
import { sendPendingRefunds } from './send-pending-refunds.ts'

/** The refund that the caller would get for a purchase now, or has requested. NOTHING_TO_CHANGE says why there is none. */
export const refundQuote: SessionHandler<typeof refundQuoteEndpoint> = async (
  ctx,
  { claims, params },
) => {
  const { accounts, ...rows } = await ctx.db.batch({
    accounts: accountQuery(ctx, claims),
    ...refundStatements(ctx, claims.userId, params.purchaseId),
  })
  requireSignedIn(accounts)
  return { success: true, refund: refundOf(readRefundable(rows), ctx.now) }
}

/**
 * Withdraws from a purchase. One batch takes the unused tokens, ends the plan and writes down what is to be refunded; a job
 * sends the money. AMOUNT_MISMATCH when the sum has changed, STEP_UP_REQUIRED unless the user was confirmed just now or has the
 * secret of a mailed link. When anything that this depends on changes meanwhile, all is checked again. Asking again answers the
 * same.
 */
export const askRefund: SessionHandler<typeof askRefundEndpoint> = async (ctx, call) => {
  const refund = await untilSaved(() => request(ctx, call))
  return { success: true, message: REFUND.asked, refund }
}

type Call = Parameters<SessionHandler<typeof askRefundEndpoint>>[1]

/** The refund that was requested, now or before. `hasAsked`: for the refunds that Razorpay lists. */
async function request(ctx: Context, call: Call, hasAsked = false): Promise<RefundQuote> {
  const { claims, params, body } = call
  const link = body.secret === undefined ? null : await sha256Hex(body.secret)
  const read = await readRequest(ctx, claims, params.purchaseId, link)
  const { refundable } = read
  const quote = refundOf(refundable, ctx.now)
  if (quote.askedAt !== null) return quote
  requireProof(ctx, read, body.secret)
  if (quote.amount !== body.amount) throw new ApiError('AMOUNT_MISMATCH', REFUND.changed)
  if (await listRefunds(ctx, refundable.state, hasAsked)) return request(ctx, call, true)
  const isOwn = isOwnLink(ctx, claims.userId, link ?? '')
  const isVerified = sql`${isOpenSession({ ...claims, now: ctx.now })}
    AND ${link === null ? sql`true` : exists(linkQuery(ctx, isOwn))}`
  const { after, statements } = requestStatements(ctx, refundable, isVerified)
  await ctx.db.batch({
    ...statements,
    used: link === null ? null : ctx.db.update(mailedLinks).set({ usedAt: ctx.now }).where(isOwn),
  })
  if (refundable.requestedLately + 1 === REFUNDS_A_YEAR) {
    ctx.log.alert('an account buys and gives back', { userId: claims.userId })
  }
  ctx.waitUntil(() => deliverDueMail(ctx))
  ctx.waitUntil(() => sendPendingRefunds(ctx))
  return refundOf({ ...refundable, state: after }, ctx.now)
}

/** Mails the link that confirms a refund to an account without password and second step. STEP_UP_REQUIRED for others. */
export const mailRefundLink: SessionHandler<typeof mailRefundLinkEndpoint> = async (
  ctx,
  { claims, params },
) => {
  const read = await readRequest(ctx, claims, params.purchaseId, null)
  const { refundable, account, factors } = read
  const { user } = account
  const { item, amount, currency, purchaseId, askedAt } = refundOf(refundable, ctx.now)
  if (askedAt !== null) throw new ApiError('NOTHING_TO_CHANGE', REFUND.asked)
  if (!confirmsByMail(account, factors)) throw new ApiError('STEP_UP_REQUIRED', FACTOR.stepUp)
  const link = await newMailedLink(ctx, 'refund')
  const count = await dailyCounter(ctx, 'mail', user.emailKey)
  const isOpen = isOpenSession({ ...claims, now: ctx.now })
  const owner = sql`FROM ${users} WHERE ${users.id} = ${user.id} AND ${isWithinLimit(count)} AND ${isOpen}`
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
  if (mail.length === 0) throw rejectToday(ctx)
  ctx.waitUntil(() => deliverDueMail(ctx))
  return { success: true, message: REFUND.linkSent }
}

async function readRequest(ctx: Context, claims: Claims, purchaseId: string, link: string | null) {
  const { accounts, factors, links, ...rows } = await ctx.db.batch({
    accounts: accountQuery(ctx, claims),
    factors: factorsQuery(ctx, claims.userId),
    links: link === null ? null : linkQuery(ctx, isOwnLink(ctx, claims.userId, link)),
    ...refundStatements(ctx, claims.userId, purchaseId),
  })
  const account = requireSignedIn(accounts)
  return { account, refundable: readRefundable(rows), factors, links: links ?? [] }
}

type Checked = Awaited<ReturnType<typeof readRequest>>

/** LINK_INVALID for a bad link, if the account proves itself by mail; otherwise STEP_UP_REQUIRED. */
function requireProof(ctx: Context, { account, factors, links }: Checked, secret?: string): void {
  if (secret === undefined || !confirmsByMail(account, factors)) {
    requireConfirmed(ctx, account)
    return
  }
  if (links.length === 0) throw new ApiError('LINK_INVALID', AUTH.linkInvalid)
}

function confirmsByMail({ user }: Account, factors: Factors): boolean {
  return user.passwordHash === '' && !factors.some(isTwoStep)
}

/** In SQL, whether a row of `mailed_links` is this link of the account and still works. */
function isOwnLink(ctx: Context, userId: string, secretHash: string) {
  return and(isUsableLink(ctx, secretHash, 'refund'), eq(mailedLinks.userId, userId))
}
