import { and, eq, sql } from 'drizzle-orm'
import { purchases } from '../../../db/schema/purchases.ts'
import { balances } from '../../../db/schema/tokens.ts'
import { recordEvent } from '../../account/account-event.ts'
import { accountOf } from '../../account/account-query.ts'
import { eraseStatements } from '../../account/delete-account.ts'
import { collectExport } from '../../account/export-data.ts'
import type { Context } from '../../context.ts'
import { cancelLinksOf } from '../../purchase/cancel-links.ts'
import {
  type ActOf,
  counted,
  inOneBatch,
  isThere,
  requireNoOperator,
  requireTarget,
  targetQuery,
  type PlannedAct,
} from '../planned-act.ts'

/** What a customer can do in the settings, and asks for by mail or letter. */
export const ON_REQUEST = { export_data: planExportData, delete_account: planDeleteAccount }

/** Hands the operator the export that the customer can take in the settings, for a request that came by mail or letter. */
async function planExportData(ctx: Context, { userId }: ActOf<'export_data'>): Promise<PlannedAct> {
  const { targets, accounts } = await ctx.db.batch({
    targets: targetQuery(ctx, userId),
    accounts: accountOf(ctx, userId),
  })
  const target = requireTarget(targets)
  const [account] = accounts
  const isProven = target.emailVerifiedAt !== null
  return {
    changes: [
      'You get a file with everything in the export from the settings. Nothing in the account changes.',
      isProven
        ? 'Send it to the address of the account, which is verified, and to no other.'
        : 'The address of the account is not verified. Make sure that the person asking is the customer before you send the file.',
      'The next export shows that support exported the data.',
    ],
    ...(account === undefined ? {} : { data: () => collectExport(ctx, account) }),
    carryOut: (entry) =>
      ctx.db.batch({
        entry: entry.write(),
        event: recordEvent(ctx, { userId, kind: 'data_exported' }),
      }),
  }
}

/** Deletes an account as its user does in the settings, for a request that came by mail or letter. */
async function planDeleteAccount(
  ctx: Context,
  { userId }: ActOf<'delete_account'>,
): Promise<PlannedAct> {
  const { targets, paid, left } = await ctx.db.batch({
    targets: targetQuery(ctx, userId),
    paid: ctx.db
      .select({ count: sql<number>`count(*)` })
      .from(purchases)
      .where(and(eq(purchases.userId, userId), sql`${purchases.paidAt} > 0`)),
    left: ctx.db
      .select({ tokens: sql<number>`${balances.total} - ${balances.used}` })
      .from(balances)
      .where(and(eq(balances.userId, userId), eq(balances.paymentMode, ctx.paymentMode))),
  })
  const target = requireTarget(targets)
  requireNoOperator(ctx, target)
  const isAsSeen = isThere(userId, sql`u.email_key = ${target.emailKey}`)
  const erase = inOneBatch(ctx, isAsSeen, (isWritten) => eraseStatements(ctx, target, isWritten))
  const tokens = left[0]?.tokens ?? 0
  return {
    changes: [
      'The account is deleted permanently: name, address, sessions, history, emails and second steps are erased.',
      `${counted(paid[0]?.count ?? 0, 'paid purchase')} with receipts and the ledger stay, as tax law requires.`,
      ...(tokens > 0
        ? [
            `${counted(tokens, 'token')} can no longer be used, and nothing is refunded automatically: if the customer wants a refund, do that first.`,
          ]
        : []),
      target.emailVerifiedAt === null
        ? 'Its address gets no email, and tickets and applications from it stay, because it is not verified.'
        : 'Its address gets a last email. Tickets and applications from it are deleted too.',
    ],
    carryOut: async (entry) => {
      await erase(entry)
      ctx.waitUntil(() => cancelLinksOf(ctx, userId))
    },
  }
}
