import { and, eq, isNull } from 'drizzle-orm'
import { DESK } from '../../../../src/contract/desk.ts'
import { users } from '../../../db/schema/users.ts'
import type { Context } from '../../context.ts'
import { Refusal } from '../../refusal.ts'

export type Target = typeof users.$inferSelect

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
