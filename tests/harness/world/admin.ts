import { desc, eq } from 'drizzle-orm'
import {
  type AdminContext,
  executeAction,
  sentencesOf,
} from '../../../edge-api/admin/actions/action.ts'
import { actionOf } from '../../../edge-api/admin/actions/actions.ts'
import { adminLog } from '../../../edge-api/db/schema/admin.ts'
import type { World } from './world.ts'

export const ADMIN = 'ada@team.example'

/** The input of an action, as its form sends it. */
type Raw = Record<string, string>

/** What an admin does, by the kind of action. */
export function adminOf(world: Pick<World, 'ctx'>, admin = ADMIN) {
  const ctx = (): AdminContext => ({ ...world.ctx(), admin })
  const find = (kind: string) => {
    const action = actionOf(kind)
    if (action === undefined) throw new Error(`There is no action ${kind}.`)
    return action
  }
  return {
    /** The sentences of a preview: what changes, then what the customer is told. */
    preview: async (kind: string, raw: Raw) => sentencesOf(await find(kind).plan(ctx(), raw)),
    /** Sends the form of the action. */
    execute: (kind: string, raw: Raw, sent: { shown?: string[]; id?: string } = {}) => {
      const id = ctx().newId('act')
      return executeAction(ctx(), find(kind), { raw, sent: { id, reason: 'Ticket 7', ...sent } })
    },
    /** The log's entries about an account, newest first. */
    log: async (userId: string) => {
      const [rows] = await ctx().db.batch([
        ctx()
          .db.select()
          .from(adminLog)
          .where(eq(adminLog.userId, userId))
          .orderBy(desc(adminLog.createdAt), desc(adminLog.id)),
      ])
      return rows.map(({ kind, reason, changes, subject, admin: by }) => ({
        kind,
        reason,
        changes,
        subject,
        by,
      }))
    },
  }
}
