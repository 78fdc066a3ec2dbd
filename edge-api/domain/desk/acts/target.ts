import { and, eq, isNull } from 'drizzle-orm'
import { DESK } from '../../../../src/contract/desk.ts'
import { DESK_ACT } from '../../../../src/contract/desk-acts.ts'
import { users } from '../../../db/schema/users.ts'
import { accountKey } from '../../account/account-key.ts'
import type { Context } from '../../context.ts'
import { Refusal } from '../../refusal.ts'

export type Target = typeof users.$inferSelect

/** Said when what an act is about changed since the operator saw it. */
export function hasChanged(): Refusal {
  return new Refusal('NOTHING_TO_CHANGE', DESK_ACT.changed)
}

/** NOTHING_TO_CHANGE for the account of an operator: nobody takes the desk from another one at the desk. */
export function requireNoOperator({ operators }: Context, { emailKey }: Target): void {
  if (operators.map(accountKey).includes(emailKey)) {
    throw new Refusal('NOTHING_TO_CHANGE', DESK_ACT.ownAccount)
  }
}

/** As what our support does appears in the history of the account: without the device and network of the operator. */
export function asSupport(ctx: Context): Context {
  return { ...ctx, visitor: { address: '', ipPrefix: '', device: 'Our support' } }
}

/** The account that an act is about. */
export function targetQuery({ db }: Context, userId: string) {
  return db
    .select()
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.deletedAt)))
}

/** The row of `targetQuery`. NOT_FOUND when there is none. */
export function requireTarget([target]: readonly Target[]): Target {
  if (target === undefined) throw new Refusal('NOT_FOUND', DESK.noCustomer)
  return target
}
