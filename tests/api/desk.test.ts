import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { beforeAll, expect, inject, test } from 'vitest'
import { users } from '../../edge-api/db/schema/users.ts'
import { supportTickets } from '../../edge-api/db/schema/records.ts'
import { sessions } from '../../edge-api/db/schema/sessions.ts'
import { minutes } from '../../edge-api/domain/time.ts'
import { findEndpoint } from '../../src/contract/desk.ts'
import { Act } from '../../src/contract/desk-acts.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { submitTicketEndpoint } from '../../src/contract/support.ts'
import { ask, askGood, bad } from '../harness/ask.ts'
import { createMember, type Member } from '../harness/member.ts'
import { createOperator, createOperatorWithoutFactor, DESK_ENDPOINTS } from '../harness/operator.ts'
import { database } from '../harness/stored.ts'
import { type Answer, newVisitor } from '../harness/visitor.ts'

const people: { member?: Member; operator?: Member; withoutFactor?: Member } = {}
beforeAll(async () => {
  people.member = await createMember({ hasPlan: true })
  people.operator = await createOperator()
  people.withoutFactor = await createOperatorWithoutFactor()
  const body = { email: people.member.email, query: 'Hello' }
  const { ticketNumber } = await askGood(people.member, submitTicketEndpoint, { body })
  ticket.number = Number(ticketNumber.slice(2))
  const db = database()
  const [[row]] = await db.batch([
    db.select().from(supportTickets).where(eq(supportTickets.number, ticket.number)),
  ])
  ticket.id = row?.id ?? ''
})

function person(name: keyof typeof people): Member {
  const found = people[name]
  if (found === undefined) throw new Error(`there is no ${name}`)
  return found
}

/** Each act of the contract; acts on an account are on the member's. */
function acts(): Act[] {
  const values: Record<string, unknown> = {
    userId: person('member').userId,
    purchaseId: `pur_${'0'.repeat(26)}`,
    mailId: 'mail_1',
    alarmId: `alm_${'0'.repeat(26)}`,
    email: 'walked@example.test',
    text: WALKED,
    until: null,
    name: 'trial',
    isOn: false,
    amountMinor: 100,
  }
  return Act.options.map(({ shape }) => {
    const fields = Object.keys(shape).map((name) => [name, name in values ? values[name] : 5])
    return Act.parse({ ...Object.fromEntries(fields), kind: shape.kind.value })
  })
}

const ticket = { id: '', number: 0 }

/** Inputs that a call of the desk could act on. */
function inputs(endpoint: Endpoint) {
  const { userId } = person('member')
  const params = paramsOf(endpoint, userId)
  if (endpoint.method === 'GET') return [{ params, query: { q: 'pur_' } }]
  return (bodiesOf()[endpoint.id] ?? [{}]).map((body) => ({ params, body }))
}

/** Everything that an operator could do to the member, their ticket and the site. */
function bodiesOf(): Record<string, object[]> {
  const about = { submissionId: ticket.id, seen: null }
  const onTicket = [
    { ...about, kind: 'note', text: WALKED },
    { ...about, kind: 'answer', text: WALKED, state: 'closed' },
    { ...about, kind: 'state', state: 'closed' },
    { ...about, kind: 'delete' },
  ]
  return {
    deskAct: acts().map((act) => ({ act, reason: WALKED, isPreview: false })),
    deskSubmissionAct: onTicket.map((act) => ({ act, isPreview: false })),
    deskSaveAnswer: [{ id: null, about: 'ticket', title: WALKED, text: WALKED }],
  }
}

const WALKED = `Walked ${randomUUID()}`

function paramsOf({ path }: Endpoint, userId: string): Record<string, string> {
  if (path.includes('{userId}')) return { userId }
  if (path.includes('{number}')) return { number: String(ticket.number) }
  return path.includes('{disputeId}') ? { disputeId: 'disp_1' } : {}
}

/** An answer without the parts that differ each time. */
function likeness({ status, headers, body }: Answer) {
  const own = ['date', 'x-request-id', 'server-timing', 'content-length']
  const rest = [...headers].filter(([name]) => !own.includes(name))
  const text = JSON.stringify(body).replace(/"requestId":"[^"]*"/, '')
  return { status, headers: rest, text, timing: headers.has('server-timing') }
}

/** Everything that these calls of the desk could change; other tests run beside this one. */
async function counts() {
  const db = database()
  const { userId } = person('member')
  const [rows] = await db.batch([
    db.all(sql`SELECT (SELECT count(*) FROM ledger WHERE user_id = ${userId}) AS ledger,
      (SELECT count(*) FROM desk_acts WHERE user_id = ${userId}) AS acts,
      (SELECT coalesce(suspended_at, 0) + coalesce(deleted_at, 0) FROM users WHERE id = ${userId}) AS shut,
      (SELECT email FROM users WHERE id = ${userId}) AS email,
      (SELECT count(*) FROM sessions WHERE user_id = ${userId} AND ended_at IS NULL) AS open,
      (SELECT count(*) FROM desk_acts WHERE reason LIKE 'Walked%') AS walked,
      (SELECT state FROM support_tickets WHERE id = ${ticket.id}) AS ticket,
      (SELECT count(*) FROM submission_entries WHERE submission_id = ${ticket.id}) AS entries,
      (SELECT count(*) FROM mails WHERE id LIKE ${`${ticket.id}:%`}) AS mails,
      (SELECT count(*) FROM saved_answers WHERE title = ${WALKED}) AS answers,
      (SELECT count(*) FROM switches) AS switches`),
  ])
  return rows
}

test('a call of the desk is an unknown path for a visitor and for an ordinary user, whatever they send', async () => {
  const before = await counts()
  for (const stranger of [newVisitor(inject('siteUrl')), person('member')]) {
    const unknown = likeness(await stranger.call('/api/disk/unknown'))
    expect(unknown.status).toBe(404)
    for (const endpoint of DESK_ENDPOINTS) {
      const { method, path } = endpoint
      const own = path.replace(
        /\{\w+\}/,
        Object.values(paramsOf(endpoint, person('member').userId)).join(''),
      )
      const broken = { text: '{"broken', headers: { 'content-type': 'text/plain' } }
      const answers = [
        await stranger.call(own, { method }),
        await stranger.call(own, { method, ...(method === 'GET' ? {} : broken) }),
        await stranger.call(own, { method: 'PATCH' }),
      ]
      for (const input of inputs(endpoint)) answers.push(await ask(stranger, endpoint, input))
      for (const answer of answers) expect(likeness(answer), endpoint.id).toEqual(unknown)
    }
  }
  expect(await counts()).toEqual(before)
})

test('an operator without a second step is told to set one up, and nothing else', async () => {
  const before = await counts()
  for (const endpoint of DESK_ENDPOINTS) {
    for (const input of inputs(endpoint)) {
      const answer = bad(await ask(person('withoutFactor'), endpoint, input))
      expect(answer.code, endpoint.id).toBe('FACTOR_REQUIRED')
    }
  }
  expect(await counts()).toEqual(before)
})

test('an operator confirms every 15 minutes', async () => {
  const { sessionId } = person('operator')
  const confirmedAgo = async (ms: number) => {
    const db = database()
    const confirmedAt = Date.now() - ms
    await db.batch([db.update(sessions).set({ confirmedAt }).where(eq(sessions.id, sessionId))])
    return ask(person('operator'), findEndpoint, { query: { q: 'nobody' } })
  }
  expect(bad(await confirmedAgo(minutes(15))).code).toBe('STEP_UP_REQUIRED')
  expect((await confirmedAgo(minutes(14))).status).toBe(200)
})

test('an address that is not verified makes nobody an operator', async () => {
  const db = database()
  const { userId } = person('operator')
  const verify = (emailVerifiedAt: number | null) =>
    db.batch([db.update(users).set({ emailVerifiedAt }).where(eq(users.id, userId))])
  await verify(null)
  const answer = await ask(person('operator'), findEndpoint, { query: { q: 'nobody' } })
  await verify(Date.now())
  expect(answer.status).toBe(404)
})
