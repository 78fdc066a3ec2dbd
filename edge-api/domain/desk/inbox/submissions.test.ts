import { APPLICATION } from '../../../../tests/harness/application.ts'
import { randomUUID } from 'node:crypto'
import { asc, eq, like, lte } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { atDesk, createOperatorAccount } from '../../../../tests/harness/operator.ts'
import { watchReads } from '../../../../tests/harness/scans.ts'
import { cheapHash, createAccount } from '../../../../tests/harness/world/account.ts'
import {
  callOf,
  createWorld,
  NO_INPUT,
  databaseUrl,
} from '../../../../tests/harness/world/world.ts'
import { brand } from '../../../../site/brand.ts'
import { INBOX, INBOX_MAX, type SubmissionAct } from '../../../../src/contract/desk-inbox.ts'
import { TicketInput } from '../../../../src/contract/support.ts'
import { deskActs } from '../../../db/schema/desk.ts'
import { submissionEntries } from '../../../db/schema/inbox.ts'
import { jobApplications, mails, supportTickets } from '../../../db/schema/records.ts'
import { users } from '../../../db/schema/users.ts'
import { deleteAccount } from '../../account/delete-account.ts'
import { takeExport } from '../../../../tests/harness/world/take-export.ts'
import { renderMail } from '../../mail/render.ts'
import { applyForJob, submitTicket } from '../../support/submit.ts'
import { act as actOnAccount } from '../act.ts'
import { showCustomer } from '../customer.ts'
import { actOnSubmission } from './act-on-submission.ts'
import { listApplications, listTickets, showApplication, showTicket } from './submissions.ts'
import { listSavedAnswers, saveAnswer } from './saved-answers.ts'

const numberOf = (name: string) => Number(name.slice(2))

/** A desk with an account that wrote a ticket and an application, in its own spelling. */
async function newInbox(url = databaseUrl()) {
  const world = createWorld({ databaseUrl: url })
  const operator = await createOperatorAccount(world.ctx())
  const email = `${randomUUID()}@example.test`
  const customer = await createAccount(world.ctx(), {
    email,
    emailKey: email,
    emailVerifiedAt: world.now(),
    passwordHash: cheapHash(),
  })
  const sent = await submitTicket(world.ctx(), {
    ...NO_INPUT,
    body: TicketInput.parse({
      email: email.toUpperCase(),
      severity: 'high',
      query: 'Where are\nmy tokens?',
    }),
  })
  const applied = await applyForJob(world.ctx(), {
    ...NO_INPUT,
    body: { ...APPLICATION, email },
  })
  const ticketNumber = numberOf(sent.ticketNumber)
  const applicationNumber = numberOf(applied.applicationNumber)
  const ticket = () =>
    showTicket(world.ctx(), { ...atDesk(operator), params: { number: ticketNumber } })
  const application = () =>
    showApplication(world.ctx(), { ...atDesk(operator), params: { number: applicationNumber } })
  const act = (wanted: SubmissionAct, isPreview = false) => {
    world.advance(1)
    return actOnSubmission(world.ctx(), { ...atDesk(operator), body: { act: wanted, isPreview } })
  }
  const { db } = world.ctx()
  const stored = async (submissionId: string) =>
    db.batch({
      acts: db
        .select()
        .from(deskActs)
        .where(eq(deskActs.subject, submissionId))
        .orderBy(asc(deskActs.createdAt)),
      answers: db
        .select()
        .from(mails)
        .where(like(mails.id, `${submissionId}:ent_%`)),
    })
  return { world, operator, customer, email, ticket, application, act, stored }
}

test('an answer is mailed once with the number and the team’s address, and written down without its words', async () => {
  const { world, operator, customer, email, ticket, act, stored } = await newInbox()
  const { ticket: shown, entries, userId } = await ticket()
  expect(shown).toMatchObject({ state: 'new', query: 'Where are\nmy tokens?' })
  expect({ entries, userId }).toEqual({ entries: [], userId: customer.userId })
  const text = 'Hello,\n\nthey are there now: secret-words.'
  const answer = {
    kind: 'answer',
    submissionId: shown.id,
    seen: null,
    text,
    state: 'answered',
  } as const
  const name = `T-${shown.number}`

  const preview = await act(answer, true)
  expect(preview.changes).toEqual([
    `${name} gets an email: "${brand.productName}: your message ${name}".`,
    `${name} becomes "answered"; it was "new".`,
  ])
  expect(preview.mail).toContain('they are there now: secret-words.')
  expect(await stored(shown.id)).toEqual({ acts: [], answers: [] })
  expect((await ticket()).ticket.state).toBe('new')

  // A call that is repeated, at the same time and later, sends no second mail.
  const both = await Promise.allSettled([act(answer), act(answer)])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  await expect(act(answer)).rejects.toThrow(INBOX.changed)
  await world.drain()
  const { acts, answers } = await stored(shown.id)
  expect(answers).toHaveLength(1)
  const [mail = { id: '', kind: '', payload: '', toAddress: '' }] = answers
  expect(mail.toAddress).toBe(email.toUpperCase())
  const rendered = renderMail(mail, world.ctx())
  expect(rendered.replyTo).toBe(brand.supportEmail)
  expect(rendered.subject).toBe(`${brand.productName}: your message ${name}`)
  expect(rendered.text).toContain(`keep ${name} in the subject`)
  // The customer's own words are not repeated: anybody can name any address.
  expect(rendered.text).not.toContain('Where are')
  expect(acts).toMatchObject([
    {
      kind: 'submission_answer',
      operatorId: operator.id,
      userId: customer.userId,
      reason: name,
      changes: JSON.stringify(preview.changes),
    },
  ])
  expect(JSON.stringify(acts)).not.toContain('secret-words')
  const after = await ticket()
  expect(after.ticket.state).toBe('answered')
  expect(after.entries).toMatchObject([
    { kind: 'answer', text, operator: brand.operatorEmail, isUndelivered: false },
  ])
  const ctx = world.ctx()
  const { db, now } = ctx
  const failed = { failedAt: now, dueAt: null, sentAt: null }
  await db.batch([
    db
      .update(mails)
      .set(failed)
      .where(like(mails.id, `${shown.id}:ent_%`)),
  ])
  expect((await ticket()).entries).toMatchObject([{ isUndelivered: true }])
  const resend = { kind: 'resend_mail', userId: customer.userId, mailId: mail.id } as const
  const again = { act: resend, reason: 'T-1', isPreview: false }
  await actOnAccount(ctx, { ...atDesk(operator), body: again })
  expect((await ticket()).entries).toMatchObject([{ isUndelivered: false }])
  const call = { ...atDesk(operator), params: { userId: customer.userId } }
  const { timeline } = await showCustomer(world.ctx(), call)
  const told = timeline.map((entry) => entry.text)
  expect(told).toContainEqual(expect.stringContaining(`submission answer: ${name}`))
  expect(told).toContainEqual(expect.stringContaining(`${name} (high, answered): Where are`))
})

test('a note and a change of state stay with the ticket, in the order they were made, and send nothing', async () => {
  const { ticket, act, stored } = await newInbox()
  const { ticket: shown } = await ticket()
  const about = { submissionId: shown.id }
  await act({ ...about, kind: 'note', seen: null, text: 'Paid by UPI' })
  const [note] = (await ticket()).entries
  const seen = note?.id ?? null
  await expect(act({ ...about, kind: 'state', seen: null, state: 'waiting' })).rejects.toThrow(
    INBOX.changed,
  )
  await act({ ...about, kind: 'state', seen, state: 'waiting' })
  const { ticket: moved, entries } = await ticket()
  expect(moved.state).toBe('waiting')
  expect(entries.map(({ kind, text }) => [kind, text])).toEqual([
    ['note', 'Paid by UPI'],
    ['state', 'waiting'],
  ])
  const last = entries.at(-1)?.id ?? null
  await expect(act({ ...about, kind: 'state', seen: last, state: 'waiting' })).rejects.toThrow(
    INBOX.sameState,
  )
  await expect(
    act({ ...about, kind: 'state', seen: last, state: 'declined' }),
  ).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  await expect(
    act({ kind: 'note', submissionId: 'tkt_0000000000aaaaaaaaaaaaaaaa', seen: null, text: 'x' }),
  ).rejects.toThrow(INBOX.noSubmission)
  const { acts, answers } = await stored(shown.id)
  expect(acts.map(({ kind }) => kind)).toEqual(['submission_note', 'submission_state'])
  expect(answers).toEqual([])
})

test('lists are by state and job, oldest first, or newest first when done, in one round trip by indexes', async () => {
  const { world, operator, ticket, application, act } = await newInbox()
  const { ticket: one } = await ticket()
  const { application: other } = await application()
  const next = await newInbox()
  const { ticket: two } = await next.ticket()
  for (const { id } of [two, one]) {
    await act({ kind: 'state', submissionId: id, seen: null, state: 'waiting' })
  }
  await act({ kind: 'state', submissionId: other.id, seen: null, state: 'in_talks' })

  const done = Array.from({ length: 3 * INBOX_MAX }, () => {
    return { id: randomUUID(), email: 'ada@example.test', createdAt: world.now() }
  })
  const kind = { severity: 'low', isFeatureRequest: false, query: 'Hi', state: 'closed' } as const
  const { db } = world.ctx()
  await db.batch([
    db.insert(supportTickets).values(done.map((row) => ({ ...row, ...kind }))),
    db
      .insert(jobApplications)
      .values(done.map((row) => ({ ...row, ...APPLICATION, state: 'declined' as const }))),
  ])

  const watched = await watchReads({ now: world.now() })
  const desk = watched.ctx
  const tickets = async (state: 'new' | 'waiting' | 'closed', after: number | undefined) =>
    (await listTickets(desk, { ...atDesk(operator), query: { state, after } })).tickets
  const waiting = await tickets('waiting', one.number - 1)
  const own = [one.number, two.number]
  const numbers = waiting.map(({ number }) => number)
  expect(numbers.filter((number) => own.includes(number))).toEqual(own)
  expect(waiting).toEqual(waiting.toSorted((a, b) => a.number - b.number))
  expect(waiting.find(({ number }) => number === one.number)).toMatchObject({
    begins: 'Where are my tokens?',
    severity: 'high',
  })
  expect(await tickets('waiting', one.number)).not.toContainEqual(
    expect.objectContaining({ number: one.number }),
  )
  const query = { state: 'closed', after: undefined } as const
  const before = watched.rowsRead()
  const closed = await listTickets(desk, { ...atDesk(operator), query })
  expect(closed.hasMore).toBe(true)
  const newest = closed.tickets.map(({ number }) => number)
  expect(newest).toEqual(newest.toSorted((a, b) => b - a))
  const oldest = newest.at(-1) ?? 0
  expect((await tickets('closed', oldest))[0]?.number).toBeLessThan(oldest)
  expect(watched.rowsRead() - before).toBeLessThan(4 * INBOX_MAX)
  const declined = { state: 'declined', jobId: undefined, after: undefined } as const
  const decided = await listApplications(desk, { ...atDesk(operator), query: declined })
  expect(decided.hasMore).toBe(true)
  const applications = async (
    jobId: 'software-engineer-junior' | 'staff-software-engineer-cto',
  ) => {
    const query = { state: 'in_talks' as const, jobId, after: other.number - 1 }
    const found = await listApplications(desk, { ...atDesk(operator), query })
    return found.applications.map(({ number }) => number)
  }
  expect(await applications('software-engineer-junior')).toContain(other.number)
  expect(await applications('staff-software-engineer-cto')).not.toContain(other.number)
  await showTicket(desk, { ...atDesk(operator), params: { number: one.number } })
  expect(desk.db.trips()).toBe(8)
  // There are at most fifty saved answers, and all are shown.
  expect((await watched.scans()).filter(({ text }) => !/saved_answers/.test(text))).toEqual([])
})

test('a page follows the one before also when all of that was deleted', async () => {
  const { world, operator, ticket } = await newInbox()
  const { ticket: last } = await ticket()
  const next = await (await newInbox()).ticket()
  const { db } = world.ctx()
  await db.batch([db.delete(supportTickets).where(lte(supportTickets.number, last.number))])
  const query = { state: 'new', after: last.number } as const
  const { tickets } = await listTickets(world.ctx(), { ...atDesk(operator), query })
  expect(tickets.map(({ number }) => number)).toEqual([next.ticket.number])
})

test('deciding an application sets a date, and reopening it removes the date', async () => {
  const { world, application, act, stored } = await newInbox()
  const { application: shown, fields } = await application()
  expect(shown).toMatchObject({ state: 'new', decidedAt: null, fullName: 'Ada' })
  expect(fields).toContainEqual(['experience', 'Much'])
  const { changes } = await act({
    kind: 'answer',
    submissionId: shown.id,
    seen: null,
    text: 'Thank you, but no.',
    state: 'declined',
  })
  expect(changes).toContain('It is deleted twelve months from now.')
  const decided = await application()
  expect(decided.application.decidedAt).toBe(new Date(world.now()).toISOString())
  const { answers } = await stored(shown.id)
  const [mail = { kind: '', payload: '' }] = answers
  const { subject, replyTo } = renderMail(mail, world.ctx())
  expect({ subject, replyTo }).toEqual({
    subject: `${brand.productName}: your application A-${shown.number}`,
    replyTo: brand.careersEmail,
  })
  const seen = decided.entries.at(-1)?.id ?? null
  await act({ kind: 'state', submissionId: shown.id, seen, state: 'in_talks' })
  expect((await application()).application).toMatchObject({ state: 'in_talks', decidedAt: null })
})

test("the operators' entries are in the export, and are deleted with the account", async () => {
  const { world, customer, ticket, application, act, stored } = await newInbox()
  const { ticket: shown } = await ticket()
  const { application: other } = await application()
  const text = `Words ${randomUUID()}`
  await act({ kind: 'note', submissionId: shown.id, seen: null, text })
  await act({
    kind: 'answer',
    submissionId: other.id,
    seen: null,
    text,
    state: 'in_talks',
  })
  const { data } = await takeExport(world.ctx(), customer)
  expect(data).toMatchObject({
    supportTickets: [{ state: 'new', written: [{ kind: 'note', text }] }],
    jobApplications: [{ state: 'in_talks', written: [{ kind: 'answer', text }] }],
  })
  expect(JSON.stringify(data)).not.toContain(brand.operatorEmail)

  const { db } = world.ctx()
  const body = { password: 'Quiet-Otter-42' }
  await deleteAccount(world.ctx(), { ...callOf(customer), body })
  await expect(ticket()).rejects.toThrow(INBOX.noSubmission)
  const { entries } = await db.batch({
    entries: db.select().from(submissionEntries).where(eq(submissionEntries.text, text)),
  })
  expect(entries).toEqual([])
  expect((await stored(other.id)).answers).toEqual([])
  expect((await stored(shown.id)).acts).toHaveLength(1)
})

test('a ticket is deleted at its sender’s request, with its notes and emails, and its entry names no address', async () => {
  const { world, email, ticket, application, act, stored } = await newInbox()
  const { ticket: shown } = await ticket()
  const about = { submissionId: shown.id }
  const text = `Words ${randomUUID()}`
  await act({ ...about, kind: 'answer', seen: null, text, state: 'closed' })
  const wanted = { ...about, kind: 'delete' } as const
  await expect(act({ ...wanted, seen: null })).rejects.toThrow('Something changed')
  const seen = (await ticket()).entries.at(-1)?.id ?? null
  const { changes } = await act({ ...wanted, seen }, true)
  expect(changes).toEqual([`T-${shown.number}, its notes and its emails are deleted.`])
  await ticket()
  await act({ ...wanted, seen })
  await expect(ticket()).rejects.toThrow(INBOX.noSubmission)
  const { db } = world.ctx()
  const left = await db.batch({
    entries: db.select().from(submissionEntries).where(eq(submissionEntries.text, text)),
    mails: db
      .select()
      .from(mails)
      .where(like(mails.id, `${shown.id}:%`)),
  })
  expect(left).toEqual({ entries: [], mails: [] })
  const { acts } = await stored(shown.id)
  expect(acts.map(({ kind }) => kind)).toEqual(['submission_answer', 'submission_delete'])
  expect(JSON.stringify(acts).toLowerCase()).not.toContain(email)
  // Nothing else of this sender is.
  await application()
})

test('whoever registers an address without proving it neither reads nor deletes what was written from there', async () => {
  const { world, customer, ticket, application, act } = await newInbox()
  const { db } = world.ctx()
  const { userId } = customer
  await db.batch([db.update(users).set({ emailVerifiedAt: null }).where(eq(users.id, userId))])
  const { application: shown } = await application()
  const text = 'Thank you, but no.'
  await act({ kind: 'answer', submissionId: shown.id, seen: null, text, state: 'declined' })
  const { data } = await takeExport(world.ctx(), customer)
  expect(data).toMatchObject({ actsOfSupport: [], supportTickets: [], jobApplications: [] })
  const body = { password: 'Quiet-Otter-42' }
  await deleteAccount(world.ctx(), { ...callOf(customer), body })
  await ticket()
  await application()
})

test('saved answers are kept, offered where they fit, changed and deleted, each with an entry', async () => {
  const { world, operator, ticket, application } = await newInbox()
  const about = 'ticket' as const
  const save = (body: { id: string | null; title: string; text: string }) =>
    saveAnswer(world.ctx(), { ...atDesk(operator), body: { about, ...body } })
  const title = `Title ${randomUUID()}`
  const { answers } = await save({ id: null, title, text: 'Please wait an hour.' })
  const id = answers.find((answer) => answer.title === title)?.id ?? ''
  const saved = { id, about, title, text: 'Please wait an hour.' }
  expect((await ticket()).answers).toContainEqual(saved)
  expect((await application()).answers).not.toContainEqual(saved)
  await save({ id, title, text: 'Please wait a day.' })
  const listed = await listSavedAnswers(world.ctx(), atDesk(operator))
  expect(listed.answers).toContainEqual({ ...saved, text: 'Please wait a day.' })
  await save({ id, title, text: '' })
  expect((await ticket()).answers.map((answer) => answer.id)).not.toContain(id)
  await expect(save({ id, title, text: 'Again' })).rejects.toThrow(INBOX.noAnswer)
  await expect(save({ id: null, title, text: '' })).rejects.toThrow(INBOX.textRequired)
  const { db } = world.ctx()
  const { acts } = await db.batch({
    acts: db.select().from(deskActs).where(eq(deskActs.subject, id)),
  })
  expect(acts.map(({ changes }) => changes).toSorted()).toEqual([
    `["The saved answer \\"${title}\\" is changed."]`,
    `["The saved answer \\"${title}\\" is deleted."]`,
    `["The saved answer \\"${title}\\" is kept."]`,
  ])
})
