import { and, eq, isNull, or } from 'drizzle-orm'
import { users } from '../../db/schema/users.ts'
import type { Context } from '../context.ts'
import { GoogleRefusal } from '../session/google-refusal.ts'
import type { Identity } from '../ports/identity.ts'
import { insertPass, newPass, type SignInPass } from '../session/sign-in-pass.ts'
import { accountKey } from './account-key.ts'
import { connectGoogle } from './connect-google.ts'
import { makeGoogleAccount } from './make-google-account.ts'
import { usernameFrom, withSuffix } from './new-username.ts'

/** What somebody else takes in the same instant is looked at afresh, this often. */
const TRIES = 3

/**
 * Lets in somebody Google vouches for: into the account the Google account is connected to; else into
 * the one with the same address, where both sides have verified it; else into a new one. Throws
 * GoogleRefusal, and then nothing was changed.
 */
export async function admitIdentity(ctx: Context, identity: Identity): Promise<SignInPass> {
  const pass = await newPass(ctx)
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    if (await keepPass(ctx, identity, pass)) return pass
  }
  throw new GoogleRefusal('google_failed')
}

/** False when what was found had changed by the time it was written. */
async function keepPass(ctx: Context, identity: Identity, { hash }: SignInPass): Promise<boolean> {
  const { subject, email } = identity
  const base = usernameFrom(identity.name)
  const { holders } = await ctx.db.batch({ holders: findHolders(ctx, identity, base) })
  const keep = insertPass(ctx, { hash, subject })
  if (holders.some((holder) => holder.googleSubject === subject)) {
    const { kept } = await ctx.db.batch({ kept: keep })
    return kept.rowsAffected === 1
  }
  if (!identity.isEmailVerified) throw new GoogleRefusal('google_unverified')
  const owner = holders.find((holder) => holder.emailKey === accountKey(email))
  if (owner !== undefined) {
    requireJoinable(owner)
    return connectGoogle(ctx, { owner, identity, keep })
  }
  // 'user' is nobody's name: it never stands alone.
  const isFree = base !== 'user' && holders.length === 0
  const username = isFree ? base : withSuffix(base, ctx)
  return makeGoogleAccount(ctx, { username, identity, keep })
}

type Holder = Awaited<ReturnType<typeof findHolders>>[number]

/**
 * Whoever registered with somebody else's address must not wait for that person to fill the account:
 * an address that was never verified joins nothing.
 */
function requireJoinable(owner: Holder): void {
  if (owner.emailVerifiedAt === null) throw new GoogleRefusal('google_verify_first')
  if (owner.googleSubject !== null) throw new GoogleRefusal('google_other_account')
}

function findHolders({ db }: Context, { subject, email }: Identity, username: string) {
  return db
    .select({
      id: users.id,
      email: users.email,
      emailKey: users.emailKey,
      googleSubject: users.googleSubject,
      emailVerifiedAt: users.emailVerifiedAt,
    })
    .from(users)
    .where(
      and(
        or(
          eq(users.googleSubject, subject),
          eq(users.emailKey, accountKey(email)),
          eq(users.usernameKey, accountKey(username)),
        ),
        isNull(users.deletedAt),
      ),
    )
}
