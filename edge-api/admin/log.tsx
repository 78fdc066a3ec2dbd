/** @jsxImportSource hono/jsx */
import { and, desc, lt } from 'drizzle-orm'
import { adminLog } from '../db/schema/admin.ts'
import { pageOf } from './actions/action.ts'
import { inWords } from './customer-money.ts'
import { changesIn } from './customer-rows.ts'
import { type Call, show, Table, When } from './page.tsx'

const ROWS = 50

/** `GET /admin/log`: what admins did, newest first. `?before=` is the id after which the page begins. */
export async function showLog(c: Call): Promise<Response> {
  const { db } = c.env.ctx
  const before = Number(c.req.query('before') ?? Infinity)
  const [rows] = await db.batch([
    db
      .select()
      .from(adminLog)
      .where(and(Number.isFinite(before) ? lt(adminLog.createdAt, before) : undefined))
      .orderBy(desc(adminLog.createdAt))
      .limit(ROWS),
  ])
  const last = rows.length < ROWS ? undefined : rows.at(-1)
  return show(
    c,
    { title: 'Log' },
    <>
      <Table name="Log" head={['When', 'Who', 'What', 'Reason', 'What changed']}>
        {rows.map(({ createdAt, admin, kind, userId, subject, reason, changes }) => (
          <tr>
            <td>
              <When at={createdAt} />
            </td>
            <td>{admin}</td>
            <td>
              {inWords(kind)} {userId === null ? subject : <a href={pageOf(userId)}>customer</a>}
            </td>
            <td>{reason}</td>
            <td>{changesIn({ changes }).join(' ')}</td>
          </tr>
        ))}
      </Table>
      {last === undefined ? null : (
        <p>
          <a href={`/admin/log?before=${last.createdAt}`}>Older</a>
        </p>
      )}
    </>,
  )
}
