import { eq } from 'drizzle-orm'
import type { acceptTermsEndpoint } from '../../../src/contract/account.ts'
import { users } from '../../db/schema/users.ts'
import type { SessionVerb } from '../verb.ts'
import { recordEvent } from './account-event.ts'
import { accountQuery, requireAccount } from './account-query.ts'
import { acceptedTerms, TERMS } from './terms.ts'
import { toUser } from './to-user.ts'

/** Stores that the caller accepts the present terms. */
export const acceptTerms: SessionVerb<typeof acceptTermsEndpoint> = async (ctx, { claims }) => {
  const { accounts } = await ctx.db.batch({ accounts: accountQuery(ctx, claims) })
  const { user } = requireAccount(accounts)
  const { after } = await ctx.db.batch({
    accepted: ctx.db.update(users).set(acceptedTerms(ctx.now)).where(eq(users.id, user.id)),
    after: accountQuery(ctx, claims),
    event: recordEvent(ctx, {
      userId: user.id,
      kind: 'terms_accepted',
      detail: { version: TERMS.version },
    }),
  })
  return { success: true, user: toUser(requireAccount(after), ctx.now) }
}
