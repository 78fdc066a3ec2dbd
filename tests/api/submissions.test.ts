import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { exampleOf } from '../../site/openapi/examples.ts'
import { brand } from '../../site/brand.ts'
import { applyEndpoint, ApplicationInput } from '../../src/contract/careers.ts'
import { CAREERS, TOAST } from '../../src/contract/messages.ts'
import { submitTicketEndpoint } from '../../src/contract/support.ts'
import { askGood } from '../harness/ask.ts'
import { startListener } from '../harness/listener.ts'
import { mailsTo } from '../harness/stored.ts'
import { visitor } from '../harness/visitor.ts'

const newEmail = () => `${randomUUID()}@example.test`
const application = () => ({
  ...ApplicationInput.parse(exampleOf(applyEndpoint).body),
  email: newEmail(),
})

test('a ticket gets a number, an acknowledgement and a mail to the team, in which it is only text', async () => {
  const email = newEmail()
  const query = `<script>alert(1)</script><img src=x onerror=alert(1)> '; DROP TABLE users; -- {number} ${randomUUID()}`
  const body = { email, query, severity: 'high', isFeatureRequest: true } as const
  const { message, ticketNumber } = await askGood(visitor(), submitTicketEndpoint, { body })
  expect(message).toBe(TOAST.ticketSent)
  expect(ticketNumber).toMatch(/^T-\d+$/)
  const mails = await mailsTo(email)
  expect(mails).toMatchObject([{ kind: 'ticket_received' }])
  expect(mails[0]?.subject).toContain(ticketNumber)
  const [forTeam, another] = (await mailsTo(brand.supportEmail)).filter(({ text }) =>
    text.includes(query),
  )
  expect(another).toBeUndefined()
  expect(forTeam?.subject).toBe(`${ticketNumber}: Feature request, severity high`)
  expect(forTeam?.html).not.toMatch(/<script|<img/)
})

test('an application gets a number, an acknowledgement and a mail to the team, and its links are not followed', async () => {
  const resume = await startListener()
  const body = { ...application(), resumeUrl: `${resume.url}/cv.pdf` }
  const { message, applicationNumber } = await askGood(visitor(), applyEndpoint, { body })
  expect(message).toBe(CAREERS.success)
  const forTeam = (await mailsTo(brand.careersEmail)).filter(({ text }) =>
    text.includes(body.email),
  )
  for (const mails of [await mailsTo(body.email), forTeam]) {
    expect(mails).toMatchObject([{ subject: expect.stringContaining(applicationNumber) }])
  }
  expect(resume.requests).toEqual([])
})
