/** @jsxImportSource hono/jsx */
import { sql } from 'drizzle-orm'
import { z } from '../../src/contract/zod.ts'
import { Row } from '../domain/report/row.ts'
import { List } from './list.tsx'
import { type Call, show } from './page.tsx'

const ROWS = 50

/** `GET /admin/log`: what admins did, newest first. `?before=` is the time at which the page begins. */
export async function showLog(c: Call): Promise<Response> {
  const { db, now } = c.env.ctx
  const before = Number(c.req.query('before')) || 1e15
  const [rows] = await db.batch([
    db.all(sql`SELECT replace(a.kind, '_', ' ') AS what, iif(a.user_id IS NULL, a.subject, 'customer') AS who,
        a.user_id AS userId, a.created_at AS at, a.operator_id || ': ' || a.reason AS tag,
        (SELECT group_concat(value, ' ') FROM json_each(a.changes)) AS text
      FROM desk_acts a WHERE a.created_at < ${before} ORDER BY a.created_at DESC LIMIT ${ROWS}`),
  ])
  const actions = z.array(Row).parse(rows)
  const last = actions.length < ROWS ? undefined : actions.at(-1)
  return show(
    c,
    { title: 'Log' },
    <>
      <List name="Log" rows={actions} now={now} />
      {last === undefined ? null : <a href={`/admin/log?before=${last.at}`}>Older</a>}
    </>,
  )
}
