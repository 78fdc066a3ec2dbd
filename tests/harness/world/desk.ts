import { desc, eq } from 'drizzle-orm'
import { deskActs } from '../../../edge-api/db/schema/desk.ts'
import { act } from '../../../edge-api/domain/desk/act.ts'
import type { Act } from '../../../src/contract/desk-acts.ts'
import { atDesk, createOperatorAccount } from '../operator.ts'
import { type World } from './world.ts'

/** The calls of an operator at the desk, who confirms before each. */
export function deskOf(world: World) {
  const send = async (wanted: Act, how: { isPreview: boolean; shown?: string[] }) => {
    const operator = await createOperatorAccount(world.ctx())
    const body = { act: wanted, reason: 'Ticket 7', ...how }
    return act(world.ctx(), { ...atDesk(operator), body })
  }
  return {
    preview: async (wanted: Act) => (await send(wanted, { isPreview: true })).changes,
    carryOut: (wanted: Act, shown?: string[]) =>
      send(wanted, { isPreview: false, ...(shown === undefined ? {} : { shown }) }),
    /** The desk's entries about an account, newest first. */
    entries: async (userId: string) => {
      const { db } = world.ctx()
      const [rows] = await db.batch([
        db
          .select()
          .from(deskActs)
          .where(eq(deskActs.userId, userId))
          .orderBy(desc(deskActs.createdAt), desc(deskActs.id)),
      ])
      return rows.map(({ kind, reason, changes, subject }) => ({ kind, reason, changes, subject }))
    },
  }
}
