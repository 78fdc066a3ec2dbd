import { and, eq, gt, isNull } from 'drizzle-orm'
import { AUTH } from '../../../src/contract/messages.ts'
import { mailedLinks } from '../../db/schema/sessions.ts'
import { users } from '../../db/schema/users.ts'
import type { Context } from '../context.ts'
import { Refusal } from '../refusal.ts'

/** The account a reset link still opens, in one read. LINK_INVALID when it is unknown, used, voided or expired. */
export async function requireResetLink(ctx: Context, secretHash: string) {
  const { links } = await ctx.db.batch({ links: findUsableLink(ctx, secretHash) })
  const [link] = links
  if (link === undefined) throw new Refusal('LINK_INVALID', AUTH.linkInvalid)
  return link
}

function findUsableLink({ db, now }: Context, secretHash: string) {
  return db
    .select({ userId: users.id, email: users.email, username: users.username })
    .from(mailedLinks)
    .innerJoin(
      users,
      and(eq(users.id, mailedLinks.userId), eq(users.emailKey, mailedLinks.emailKey)),
    )
    .where(
      and(
        eq(mailedLinks.secretHash, secretHash),
        eq(mailedLinks.purpose, 'reset'),
        isNull(mailedLinks.usedAt),
        isNull(mailedLinks.voidedAt),
        gt(mailedLinks.expiresAt, now),
        isNull(users.deletedAt),
      ),
    )
}
