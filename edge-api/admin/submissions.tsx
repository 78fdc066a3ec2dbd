/** @jsxImportSource hono/jsx */
import { asc, desc, eq, sql } from 'drizzle-orm'
import { ApplicationInput } from '../../src/contract/careers.ts'
import { csv, CSV_START, csvText } from '../../src/contract/csv.ts'
import { TicketInput } from '../../src/contract/support.ts'
import { submissionEntries } from '../db/schema/inbox.ts'
import { supportTickets } from '../db/schema/records.ts'
import { entriesAbout, senderOf } from '../domain/data-rights/find-submissions.ts'
import type { Context } from '../domain/context.ts'
import { sayField } from '../domain/ports/alerts.ts'
import { Row } from '../domain/report/row.ts'
import { inMinutes, toIso } from '../domain/time.ts'
import { pageOf } from './actions/action.ts'
import { APPLICATIONS, LIST, SubmissionName, TICKETS } from './actions/submission.ts'
import { List } from './list.tsx'
import { ActionLink, Badge, type Call, Facts, show, showProblem, When } from './page.tsx'

const ROWS = 50
const CSV_ROWS = 5_000

const KINDS = {
  tickets: { ...TICKETS, letter: 'T', fields: TicketInput },
  applications: { ...APPLICATIONS, letter: 'A', fields: ApplicationInput },
} as const

/** Which list an address asks for. */
function wanted(c: Call) {
  const kind = c.req.query('kind') === 'applications' ? 'applications' : 'tickets'
  return { kind, state: c.req.query('state') === 'done' ? 'done' : 'open' } as const
}

/** The rows of a list: what is open oldest first, severe tickets before others; what is done newest first. */
function listQuery({ db }: Context, { kind, state }: ReturnType<typeof wanted>, from: number) {
  const { table, isDone, isOpen } = KINDS[kind]
  const { number } = table
  const order = state === 'done' ? [desc(number)] : [asc(number)]
  if (kind === 'tickets' && state === 'open')
    order.unshift(sql`${supportTickets.severity} <> 'high'`)
  return db
    .select()
    .from(table)
    .where(state === 'done' ? isDone : isOpen)
    .orderBy(...order)
    .offset(from)
}

/** `GET /admin/submissions`: tickets or applications, open or done. */
export async function showSubmissions(c: Call): Promise<Response> {
  const { ctx } = c.env
  const list = wanted(c)
  const from = Number(c.req.query('from')) || 0
  const [found] = await ctx.db.batch([listQuery(ctx, list, from).limit(ROWS)])
  const { letter } = KINDS[list.kind]
  const rows = found.map((row) => {
    const feature = 'query' in row && row.isFeatureRequest ? 'feature request: ' : ''
    return Row.parse({
      what: list.kind.slice(0, -1),
      name: `${letter}-${row.number}`,
      who: row.email,
      at: row.createdAt,
      tag: 'query' in row ? row.severity : row.jobId,
      text: 'query' in row ? feature + row.query.slice(0, 160) : row.fullName,
    })
  })
  const here = new URLSearchParams(list).toString()
  return show(
    c,
    { title: `Submissions: ${list.kind}, ${list.state}` },
    <>
      <nav class="row" aria-label="Lists">
        {Object.keys(KINDS).flatMap((kind) =>
          ['open', 'done'].map((state) => {
            const there = new URLSearchParams({ kind, state }).toString()
            return (
              <a href={`${LIST}?${there}`} aria-current={there === here ? 'page' : undefined}>
                {kind}, {state}
              </a>
            )
          }),
        )}
        <a href={`${LIST}.csv?${here}`} download>
          CSV
        </a>
      </nav>
      <List name="Submissions" rows={rows} now={ctx.now} />
      {rows.length < ROWS ? null : <a href={`${LIST}?${here}&from=${from + ROWS}`}>More</a>}
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
      .where(entriesAbout(table, eq(table.number, number)))
      .orderBy(asc(submissionEntries.createdAt)),
  ])
  if (found === undefined)
    return showProblem(c, `There is no ${name}. Its sender may have deleted it.`, 404)
  const { row, userId } = found
  const target = { submission: name }
  const facts = Object.entries<unknown>(row).filter(([of]) => of in fields.shape && of !== 'query')
  const mailto = `mailto:${encodeURIComponent(row.email)}?subject=${encodeURIComponent(`Re: ${name}`)}`
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
          <ActionLink kind="submission_open" target={target} label="Open again" />
        ) : (
          <ActionLink kind="submission_done" target={target} label="Done" />
        )}
        <ActionLink kind="submission_delete" target={target} label="Delete, as its sender asks" />
      </p>
      {'query' in row ? <p class="words">{row.query}</p> : null}
      <Facts
        facts={[
          ...facts.map(([of, value]) => [sayField(of), String(value)] as const),
          ['account', userId && <a href={pageOf(userId)}>the customer with this address</a>],
          ...entries.map(({ kind, createdAt, text }) => {
            return [
              `${kind} of ${inMinutes(createdAt)}`,
              <span class="words">{text}</span>,
            ] as const
          }),
        ]}
      />
      <p>
        Answer in the team’s mailbox, or <a href={mailto}>write to the sender</a>. Anybody can name
        any address in the form: say nothing about an account until its user has written back from
        its address.
      </p>
    </>,
  )
}

/** `GET /admin/submissions.csv`: the list with all fields, as a spreadsheet reads it. */
export async function sendCsv(c: Call): Promise<Response> {
  const { ctx } = c.env
  const list = wanted(c)
  const [rows] = await ctx.db.batch([listQuery(ctx, list, 0).limit(CSV_ROWS)])
  const { letter, fields } = KINDS[list.kind]
  const columns = Object.keys(fields.shape)
  const lines = rows.map((row) => {
    const values = new Map(Object.entries<unknown>(row))
    const cells = columns.map((column) => csvText(String(values.get(column))))
    return [`${letter}-${row.number}`, toIso(row.createdAt), ...cells]
  })
  return c.body(CSV_START + csv([['number', 'at', ...columns], ...lines]), 200, {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${list.kind}.csv"`,
  })
}
