import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { mailedLinks } from '../../db/schema/sessions.ts'
import { users } from '../../db/schema/users.ts'
import type { Context } from '../context.ts'
import { emailKeyOf, emailKeysOf } from './address.ts'

/** In SQL, whether a row of `users` is an account of an address (docs/decisions/0153-one-mailbox-has-one-account.md). */
export function isOfAddress(email: string): SQL | undefined {
  return and(inArray(users.emailKey, emailKeysOf(email)), isNull(users.deletedAt))
}

/** In SQL, the order of the accounts of one address: the first gets its mail. It is verified, or else the oldest. */
export const byMailPriority = [sql`${users.emailVerifiedAt} IS NULL`, users.createdAt] as const

/** In SQL, the id of the account that gets the mail of an address; NULL without one. */
export function mailedId(email: string): SQL {
  const [verified, age] = byMailPriority
  return sql`(SELECT ${users.id} FROM ${users} WHERE ${isOfAddress(email)} ORDER BY ${verified}, ${age} LIMIT 1)`
}

/** Alerts when an address that was looked up has several accounts. */
export function alertOfDuplicates({ log }: Context, accounts: readonly { id: string }[]): void {
  const [first, second] = accounts
  if (first === undefined || second === undefined) return
  log.alert('an address has two accounts', { userId: first.id, otherUserId: second.id })
}

/** The statements that give an account, with its open links, today's key of its address, unless another account has it. */
export function renewEmailKey(
  { db }: Context,
  { id, email, emailKey: old }: Pick<typeof users.$inferSelect, 'id' | 'email' | 'emailKey'>,
) {
  const emailKey = emailKeyOf(email)
  if (emailKey === old) return []
  const isFree = sql`NOT EXISTS (SELECT 1 FROM ${users} o WHERE o.email_key = ${emailKey})`
  const links = and(eq(mailedLinks.userId, id), eq(mailedLinks.emailKey, old), isFree)
  const account = and(eq(users.id, id), eq(users.emailKey, old), isFree)
  return [
    db.update(mailedLinks).set({ emailKey }).where(links),
    db.update(users).set({ emailKey }).where(account),
  ]
}
