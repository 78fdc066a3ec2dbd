import type { Act } from '../../../../src/contract/desk.ts'
import { recordEvent } from '../../account/account-event.ts'
import { accountOf } from '../../account/account-query.ts'
import {
  exportStatements,
  toExport,
  toWritten,
  writtenStatements,
} from '../../account/export-data.ts'
import type { Context } from '../../context.ts'
import { toIso } from '../../time.ts'
import { asSupport, requireTarget, targetQuery, type Plan } from './plan.ts'

type About = Extract<Act, { kind: 'export_data' }>

/** Hands the operator the export that the customer can take in the settings, for a request that came by mail or letter. */
export async function planExportData(operatorCtx: Context, { userId }: About): Promise<Plan> {
  const ctx = asSupport(operatorCtx)
  const { targets, accounts, ...stored } = await ctx.db.batch({
    targets: targetQuery(ctx, userId),
    accounts: accountOf(ctx, userId),
    ...exportStatements(ctx, userId),
  })
  const target = requireTarget(targets)
  const written = toWritten(await ctx.db.batch(writtenStatements(ctx, target)))
  const [account] = accounts
  const data = account && {
    exportedAt: toIso(ctx.now),
    ...(await toExport(ctx, { account, stored, written })),
  }
  const isProven = target.emailVerifiedAt !== null
  return {
    changes: [
      'You get a file with everything that the export in the settings has. Nothing in the account changes.',
      isProven
        ? 'Send it to the address of the account, which is proven, and to no other one.'
        : 'The address of the account is not proven. Make sure that who asks is the customer before you send the file.',
      'The history of the account keeps that our support took the data.',
    ],
    subject: null,
    ...(data === undefined ? {} : { data }),
    carryOut: (entry) =>
      ctx.db.batch({
        entry: entry.write(),
        event: recordEvent(ctx, { userId, kind: 'data_exported' }),
      }),
  }
}
