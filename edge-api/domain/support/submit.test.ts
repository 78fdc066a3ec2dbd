import { APPLICATION } from '#harness/application.ts'
import { mailsAt } from '#harness/fixture/rows.ts'
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createFixture, NO_INPUT, type Fixture } from '#harness/fixture/fixture.ts'
import { TicketInput } from '../../../src/contract/support.ts'
import { renderMail } from '../mail/render.ts'
import { minutes } from '../time.ts'
import { applyForJob, submitTicket } from './submit.ts'

const BAIT = 'Claim your prize at https://evil.example/prize'

/** All that a mail to an address says and carries. */
async function mailed(fixture: Fixture, email: string) {
  const ctx = fixture.ctx()
  const rows = await mailsAt(ctx, email)
  return rows.map((mail) => JSON.stringify([mail.payload, renderMail(mail, ctx)]))
}

test('an acknowledgement repeats nothing of a stranger, since anybody can name any address', async () => {
  const fixture = createFixture()
  const email = `${randomUUID()}@example.test`
  const ticket = TicketInput.parse({ email, severity: 'high', query: BAIT })
  await submitTicket(fixture.ctx(), { ...NO_INPUT, body: ticket })
  const application = {
    ...APPLICATION,
    email,
    fullName: BAIT,
    phone: BAIT,
    resumeUrl: 'https://evil.example/prize',
    currentLocation: BAIT,
    experience: BAIT,
    whyJoin: BAIT,
  }
  await applyForJob(fixture.ctx(), { ...NO_INPUT, body: application })
  const sent = await mailed(fixture, email)
  expect(sent).toHaveLength(2)
  for (const mail of sent) {
    expect(mail).toContain(' number is ')
    expect(mail).not.toMatch(/prize|evil/)
  }
})

test('a submission whose answer was lost has one number and one mail of each kind; another, or the same later, has its own', async () => {
  const fixture = createFixture()
  const email = `${randomUUID()}@example.test`
  const ticket = TicketInput.parse({ email, severity: 'high', query: 'It does not start.' })
  const send = async (changes = {}) =>
    (await submitTicket(fixture.ctx(), { ...NO_INPUT, body: { ...ticket, ...changes } }))
      .ticketNumber
  const first = await send()
  fixture.advance(minutes(9))
  expect([await send(), await send()]).toEqual([first, first])
  expect(await mailed(fixture, email)).toHaveLength(1)
  const others = [await send({ query: 'It starts.' }), await send({ severity: 'low' })]
  fixture.advance(minutes(1))
  expect(new Set([first, ...others, await send()]).size).toBe(4)

  const application = { ...APPLICATION, email: `${randomUUID()}@example.test` }
  const apply = () => applyForJob(fixture.ctx(), { ...NO_INPUT, body: application })
  const [one, another] = await Promise.all([apply(), apply()])
  expect(one).toEqual(another)
  expect(await mailed(fixture, application.email)).toHaveLength(1)
})

test('the mail to the team shows a field that only the contract and the table know', () => {
  const ticket = { number: 7, email: 'a@example.test', severity: 'low', isFeatureRequest: false }
  const payload = JSON.stringify({ ...ticket, query: 'Hm.', firmName: 'Acme', fax: '' })
  const { text } = renderMail({ kind: 'ticket_for_team', payload }, createFixture().ctx())
  expect(text).toContain('firm name: Acme')
  expect(text).not.toContain('fax')
})
