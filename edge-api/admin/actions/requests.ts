import { and, eq, gt, sql } from 'drizzle-orm'
import { z } from '../../../src/contract/zod.ts'
import { purchases } from '../../db/schema/purchases.ts'
import { recordEvent } from '../../domain/account/record-event.ts'
import { accountOf } from '../../domain/session/account-query.ts'
import { eraseStatements, logDeletion } from '../../domain/data-rights/delete-account.ts'
import { exportTexts } from '../../domain/data-rights/export-data.ts'
import { cancelLinksOf } from '../../domain/purchase/payment-link.ts'
import { streamTexts } from '../../domain/stream-texts.ts'
import { counted, defineAccountAction, inOneBatch, isThere } from './action.ts'
import { leftOf } from './goodwill.ts'

const input = z.object({})

/** Hands the admin the export that the customer can take in the settings, for a request that came by mail or letter. */
const exportData = defineAccountAction({
  kind: 'export_data',
  label: 'Export the data',
  input,
  plan: async (ctx, { id: userId, emailVerifiedAt }) => {
    const [[account]] = await ctx.db.batch([accountOf(ctx, userId)])
    return {
      changes: [
        'You get a file with everything in the export from the settings. Nothing in the account changes.',
        emailVerifiedAt === null
          ? 'The address of the account is not verified. Make sure that the person asking is the customer before you send the file.'
          : 'Send it to the address of the account, which is verified, and to no other.',
      ],
      notification: 'The next export shows that support exported the data.',
      ...(account === undefined
        ? {}
        : { file: () => streamTexts(ctx, ctx.admin, exportTexts(ctx, account)) }),
      execute: (entry) =>
        ctx.db.batch({
          entry: entry.write(),
          event: recordEvent(ctx, { userId, kind: 'data_exported' }),
        }),
    }
  },
})

/** Deletes an account as its user does in the settings, for a request that came by mail or letter. */
const deleteAccount = defineAccountAction({
  kind: 'delete_account',
  label: 'Delete the account',
  input,
  isDangerous: true,
  plan: async (ctx, target) => {
    const { id: userId } = target
    const isPaid = and(eq(purchases.userId, userId), gt(purchases.paidAt, 0))
    const [paid, [balance]] = await ctx.db.batch([
      ctx.db.select({ id: purchases.id }).from(purchases).where(isPaid),
      leftOf(ctx, userId),
    ])
    const isVerified = target.emailVerifiedAt !== null
    const isAsSeen = isThere(userId, sql`u.email_key = ${target.emailKey}`)
    const erase = inOneBatch(ctx, isAsSeen, (isWritten) => eraseStatements(ctx, target, isWritten))
    const tokens = balance?.left ?? 0
    return {
      changes: [
        'The account is deleted permanently: name, address, sessions, history, emails and second steps are erased.',
        `${counted(paid.length, 'paid purchase')} with receipts and the ledger stay, as tax law requires.`,
        ...(tokens > 0
          ? [
              `${counted(tokens, 'token')} can no longer be used, and nothing is refunded automatically: if the customer wants a refund, do that first.`,
            ]
          : []),
        isVerified
          ? 'Tickets and applications from its address are deleted too.'
          : 'Tickets and applications from its address stay, because it is not verified.',
      ],
      notification: isVerified
        ? 'Its address gets a last email.'
        : 'Its address gets no email, because it is not verified.',
      execute: async (entry) => {
        await erase(entry)
        logDeletion(ctx, userId)
        ctx.waitUntil(() => cancelLinksOf(ctx, userId))
      },
    }
  },
})

/** What a customer can do in the settings, and asks for by mail or letter. */
export const REQUEST_ACTIONS = [exportData, deleteAccount]
