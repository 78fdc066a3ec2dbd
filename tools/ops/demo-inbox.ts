import { type SQL, sql } from 'drizzle-orm'
import { accountKey } from '../../edge-api/domain/account/account-key.ts'
import type { Context } from '../../edge-api/domain/context.ts'
import { hours } from '../../edge-api/domain/time.ts'

type Entry = readonly [kind: 'note' | 'answer' | 'state', text: string]

interface Handled {
  /** In SQL, which row of its table `s` it is. */
  which: SQL
  state: string
  entries: readonly Entry[]
}

const WAIT = 'Hello,\n\nthank you for writing. We are looking at it and write again today.'

const ticket = (begins: string, state: string, entries: readonly Entry[]): Handled => ({
  which: sql`s.query LIKE ${`${begins}%`} AND s.email LIKE '%@demo.example'`,
  state,
  entries,
})

const application = (number: number, state: string): Handled => ({
  which: sql`s.email = ${`jobs.${number}@demo.example`}`,
  state,
  entries: [['state', state]],
})

const TICKETS = [
  ticket('The overlay shows up', 'waiting', [
    ['answer', WAIT],
    ['note', 'Meeting app 5.17 on Windows 11. Asked the app people for a build with logs.'],
    ['state', 'waiting'],
  ]),
  ticket('How do I move my plan', 'answered', [
    [
      'answer',
      'Hello,\n\nwrite to us from the old address and name the new one; we change it, and tell both.',
    ],
  ]),
  ticket('Does it work with a second', 'closed', [
    ['answer', 'Hello,\n\nyes: the overlay stays on the monitor where you put it.'],
    ['state', 'closed'],
  ]),
  ticket('Can my team pay', 'waiting', [['note', 'Asked the tax adviser. Answer by Friday.']]),
]

const APPLICATIONS = [
  application(2, 'in_talks'),
  application(3, 'in_talks'),
  application(5, 'declined'),
  application(6, 'withdrawn'),
  application(7, 'accepted'),
]

const ANSWERS = [
  ['We are looking', WAIT],
  [
    'Tokens are there',
    'Hello,\n\nyour payment had not reached us at once. It has now, and your tokens are in your account. Please reload the page.',
  ],
  ['Not this time', 'Hello,\n\nthank you for applying. We chose somebody else this time.'],
] as const

/** What the operator did with the demo's tickets and applications: states, notes, answers, and answers to use again. */
export async function handleInbox(ctx: Context): Promise<void> {
  const { db, now } = ctx
  const statements = [
    ...TICKETS.flatMap((handled) => handledRows(ctx, sql`support_tickets`, handled)),
    ...APPLICATIONS.flatMap((handled) => handledRows(ctx, sql`job_applications`, handled)),
    sql`UPDATE job_applications SET decided_at = created_at + ${hours(1)}
      WHERE state IN ('declined', 'withdrawn', 'accepted') AND decided_at IS NULL`,
    ...ANSWERS.map(
      ([title, text]) => sql`INSERT INTO saved_answers (id, title, text, updated_at)
        VALUES (${ctx.newId('ans')}, ${title}, ${text}, ${now})`,
    ),
  ]
  await db.batch({ statements: statements.map((statement) => db.run(statement)) })
}

/** Written by the operator, a quarter of an hour apart. */
function handledRows(ctx: Context, table: SQL, { which, state, entries }: Handled): SQL[] {
  const operator = accountKey(ctx.brand.operatorEmail)
  return [
    sql`UPDATE ${table} AS s SET state = ${state} WHERE ${which}`,
    ...entries.map(
      ([kind, text], i) => sql`INSERT INTO submission_entries
        (id, submission_id, kind, text, operator_id, created_at)
        SELECT ${ctx.newId('ent')}, s.id, ${kind}, ${text}, u.id, s.created_at + ${hours(0.25 * (i + 1))}
        FROM ${table} s, users u WHERE ${which} AND u.email_key = ${operator}`,
    ),
  ]
}
