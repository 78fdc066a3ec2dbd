/** @jsxImportSource hono/jsx */
import { and, asc, desc, eq, gt, lt, sql } from 'drizzle-orm'
import { ApplicationInput } from '../../src/contract/careers.ts'
import { TicketInput } from '../../src/contract/support.ts'
import { submissionEntries } from '../db/schema/inbox.ts'
import { senderOf } from '../domain/account/written-from.ts'
import { sayField } from '../domain/ports/alerts.ts'
import { toIso } from '../domain/time.ts'
import { pageOf } from './actions/action.ts'
import { APPLICATIONS, LIST, SubmissionName, TICKETS } from './actions/submission.ts'
import { ActionLink, Badge, type Call, Facts, show, showProblem, Table, When } from './page.tsx'

const ROWS = 50
const CSV_ROWS = 5_000

const KINDS = {
  tickets: { ...TICKETS, letter: 'T', fields: TicketInput },
  applications: { ...APPLICATIONS, letter: 'A', fields: ApplicationInput },
} as const

/** Which list an address asks for. */
function wanted(c: Call) {
  const kind = c.req.query('kind') === 'applications' ? 'applications' : 'tickets'
  return { kind, isDone: c.req.query('state') === 'done' } as const
}

/** The rows of a list: what is open oldest first, because it has waited longest; what is done newest first. */
function listQuery(
  { db }: Call['env']['ctx'],
  { kind, isDone }: ReturnType<typeof wanted>,
  after: number,
  most: number,
) {
  const { table, isDone: done, isOpen } = KINDS[kind]
  const isBeyond = after === 0 ? undefined : (isDone ? lt : gt)(table.number, after)
  return db
    .select()
    .from(table)
    .where(and(isDone ? done : isOpen, isBeyond))
    .orderBy((isDone ? desc : asc)(table.number))
    .limit(most)
}

/** `GET /admin/submissions`: tickets or applications, open or done. */
export async function showSubmissions(c: Call): Promise<Response> {
  const { ctx } = c.env
  const list = wanted(c)
  const { kind, isDone } = list
  const after = Number(c.req.query('after') ?? 0) || 0
  const [rows] = await ctx.db.batch([listQuery(ctx, list, after, ROWS)])
  const { letter } = KINDS[kind]
  const here = new URLSearchParams({ kind, state: isDone ? 'done' : 'open' })
  const last = rows.length < ROWS ? undefined : rows.at(-1)
  return show(
    c,
    { title: `Submissions: ${kind}, ${isDone ? 'done' : 'open'}` },
    <>
      <nav class="row" aria-label="Lists">
        {(['tickets', 'applications'] as const).flatMap((of) =>
          ['open', 'done'].map((state) => (
            <a
              href={`${LIST}?kind=${of}&state=${state}`}
              aria-current={of === kind && (state === 'done') === isDone ? 'page' : undefined}
            >
              {of}, {state}
            </a>
          )),
        )}
        <a href={`${LIST}.csv?${here}`} download>
          CSV
        </a>
      </nav>
      {rows.length === 0 ? (
        <p class="muted">None.</p>
      ) : (
        <Table name="Submissions" head={['Number', 'From', 'About', 'When']}>
          {rows.map((row) => (
            <tr>
              <td>
                <a href={`${LIST}/${letter}-${row.number}`}>
                  {letter}-{row.number}
                </a>
              </td>
              <td>{row.email}</td>
              <td>
                {'query' in row
                  ? `${row.severity}${row.isFeatureRequest ? ', feature request' : ''}: ${row.query.slice(0, 160)}`
                  : `${row.jobId}: ${row.fullName}`}
              </td>
              <td>
                <When at={row.createdAt} />
              </td>
            </tr>
          ))}
        </Table>
      )}
      {last === undefined ? null : (
        <p>
          <a href={`${LIST}?${here}&after=${last.number}`}>More</a>
        </p>
      )}
    </>,
  )
}

/** `GET /admin/submissions/T-12`: one submission, with the notes and answers of earlier years. */
export async function showSubmission(c: Call): Promise<Response> {
  const { db } = c.env.ctx
  const { data: named } = SubmissionName.safeParse(c.req.param('name'))
  if (named === undefined) return showProblem(c, 'There is no such submission.', 404)
  const { name, isTicket, number } = named
  const { table, isDone, fields } = KINDS[isTicket ? 'tickets' : 'applications']
  const [[found], entries] = await db.batch([
    db
      .select({ row: table, isDone: sql<number>`${isDone}`, userId: senderOf(table) })
      .from(table)
      .where(eq(table.number, number)),
    db
      .select()
      .from(submissionEntries)
      .where(
        sql`${submissionEntries.submissionId} = (SELECT id FROM ${table} WHERE number = ${number})`,
      )
      .orderBy(asc(submissionEntries.createdAt)),
  ])
  if (found === undefined)
    return showProblem(c, `There is no ${name}. Its sender may have deleted it.`, 404)
  const { row, userId } = found
  const values = Object.entries<unknown>(row).filter(
    ([field]) => field in fields.shape && field !== 'query',
  )
  const subject = encodeURIComponent(`Re: ${name}`)
  return show(
    c,
    { title: name },
    <>
      <p class="row">
        <Badge tone={found.isDone === 1 ? '' : 'orange'}>
          {found.isDone === 1 ? 'done' : 'open'}
        </Badge>
        <When at={row.createdAt} />
        {found.isDone === 1 ? (
          <ActionLink kind="submission_open" target={{ submission: name }} label="Open again" />
        ) : (
          <ActionLink kind="submission_done" target={{ submission: name }} label="Done" />
        )}
        <ActionLink
          kind="submission_delete"
          target={{ submission: name }}
          label="Delete, as its sender asks"
        />
      </p>
      {'query' in row ? <p class="words">{row.query}</p> : null}
      <Facts facts={values.map(([field, value]) => [sayField(field), String(value)])} />
      <p>
        Answer in the team’s mailbox, or{' '}
        <a href={`mailto:${encodeURIComponent(row.email)}?subject=${subject}`}>
          write to the sender
        </a>
        . Anybody can name any address in the form: say nothing about an account until its user has
        written back from its address.
      </p>
      {userId === null ? null : (
        <p>
          <a href={pageOf(userId)}>The customer with this address</a>
        </p>
      )}
      {entries.length === 0 ? null : <h2>Notes and answers of before</h2>}
      {entries.map(({ kind, text, createdAt }) => (
        <p class="words">
          <strong>
            {kind}, <When at={createdAt} />
          </strong>
          {'\n'}
          {text}
        </p>
      ))}
    </>,
  )
}

/** `GET /admin/submissions.csv`: the list with all fields, as a spreadsheet reads it. */
export async function sendCsv(c: Call): Promise<Response> {
  const { ctx } = c.env
  const list = wanted(c)
  const [rows] = await ctx.db.batch([listQuery(ctx, list, 0, CSV_ROWS)])
  const { letter, fields } = KINDS[list.kind]
  const columns = Object.keys(fields.shape)
  const lines = rows.map((row) => {
    const values = Object.fromEntries(Object.entries<unknown>(row))
    return [
      `${letter}-${row.number}`,
      toIso(row.createdAt),
      ...columns.map((column) => String(values[column])),
    ]
  })
  const csv = [['number', 'at', ...columns], ...lines]
    .map((line) => line.map(inCsv).join(','))
    .join('\r\n')
  return c.body(`${csv}\r\n`, 200, {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${list.kind}.csv"`,
  })
}

/** A cell. A spreadsheet would run what begins with one of these signs. */
function inCsv(value: string): string {
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return `"${safe.replaceAll('"', '""')}"`
}
