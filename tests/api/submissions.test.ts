import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, inject, onTestFinished, test } from 'vitest'
import { brand } from '../../site/brand.ts'
import { exampleOf } from '../../edge-api/http/openapi/examples.ts'
import { applyEndpoint, ApplicationInput } from '../../src/contract/careers.ts'
import { CAREERS, TOAST } from '../../src/contract/messages.ts'
import { submitTicketEndpoint } from '../../src/contract/support.ts'
import { ask, askGood, bad } from '../harness/ask.ts'
import { dumpDatabase, mailsTo } from '../harness/stored.ts'
import { newVisitor } from '../harness/visitor.ts'

const visitor = () => newVisitor(inject('siteUrl'))
const newAddress = () => `${randomUUID()}@example.test`
const application = () => ({
  ...ApplicationInput.parse(exampleOf(applyEndpoint).body),
  email: newAddress(),
})

const NASTY = [
  '<script>alert(1)</script><img src=x onerror=alert(1)>',
  '=HYPERLINK("https://evil.example","click")',
  '\u202Egnp.exe',
  "'; DROP TABLE users; --",
  '{number} ${number} %s',
]

test('a ticket gets a number, an acknowledgement and a mail to the team', async () => {
  const email = newAddress()
  const query = `It does not start. ${randomUUID()}`
  const body = { email, query, severity: 'high', isFeatureRequest: true } as const
  const { message, ticketNumber } = await askGood(visitor(), submitTicketEndpoint, { body })
  expect(message).toBe(TOAST.ticketSent)
  expect(ticketNumber).toMatch(/^T-\d+$/)
  const [mail] = await mailsTo(email)
  expect(mail).toMatchObject({ kind: 'ticket_received' })
  expect(mail?.subject).toContain(ticketNumber)
  const [forTeam] = (await mailsTo(brand.supportEmail)).filter(({ text }) => text.includes(query))
  expect(forTeam?.subject).toBe(`${ticketNumber}: Feature request, severity high`)
})

test('what a stranger wrote is not sent to the address that the stranger names', async () => {
  const email = newAddress()
  const query = `Claim your prize at https://evil.example/${randomUUID()}`
  await askGood(visitor(), submitTicketEndpoint, { body: { email, query } })
  const [mail] = await mailsTo(email)
  expect(mail?.text).toContain('Your ticket has the number T-')
  expect(JSON.stringify(mail)).not.toContain('evil.example')
})

test('an application gets a number, an acknowledgement and a mail to the team', async () => {
  const body = application()
  const { message, applicationNumber } = await askGood(visitor(), applyEndpoint, { body })
  expect(message).toBe(CAREERS.success)
  const [mail] = await mailsTo(body.email)
  expect(mail?.subject).toContain(applicationNumber)
  const forTeam = (await mailsTo(brand.careersEmail)).find(({ text }) => text.includes(body.email))
  expect(forTeam?.subject).toContain(applicationNumber)
})

test('eight tickets at once get eight different numbers', async () => {
  const sent = Array.from({ length: 8 }, () =>
    askGood(visitor(), submitTicketEndpoint, { body: { email: newAddress(), query: 'Hello' } }),
  )
  const numbers = (await Promise.all(sent)).map(({ ticketNumber }) => ticketNumber)
  expect(new Set(numbers).size).toBe(8)
})

test.each(NASTY)(
  'a ticket that says %j is stored as text and harmless in the mails',
  async (nasty) => {
    const email = newAddress()
    const query = `${nasty} ${randomUUID()}`
    await askGood(visitor(), submitTicketEndpoint, { body: { email, query } })
    const [mail] = await mailsTo(email)
    const [forTeam] = (await mailsTo(brand.supportEmail)).filter(({ text }) => text.includes(query))
    expect(forTeam?.text).toContain(query)
    for (const one of [mail, forTeam]) {
      expect(one?.html).not.toMatch(/<script|<img/)
      expect(one?.subject).not.toMatch(/[\r\n]/)
    }
  },
)

test('a line break in an address or a name is refused, so that no mail header can be injected', async () => {
  const email = 'ada@example.com\r\nBcc: everybody@example.com'
  const ticket = { email, query: 'Hello' }
  expect(bad(await ask(visitor(), submitTicketEndpoint, { body: ticket })).status).toBe(400)
  const body = { ...application(), fullName: 'Ada\r\nBcc: everybody@example.com' }
  expect(bad(await ask(visitor(), applyEndpoint, { body })).errors).toEqual([
    { path: 'fullName', msg: expect.any(String) },
  ])
  expect(await dumpDatabase()).not.toContain('everybody@example.com')
})

test('a ticket longer than the limit is refused with a sentence that names the limit', async () => {
  const body = { email: newAddress(), query: 'a'.repeat(5_001) }
  const { status, errors } = bad(await ask(visitor(), submitTicketEndpoint, { body }))
  expect({ status, errors }).toEqual({
    status: 400,
    errors: [{ path: 'query', msg: 'Please use at most 5000 characters' }],
  })
})

test('a refused application lists each wrong field as path and msg', async () => {
  const body = { ...application(), resumeUrl: 'javascript:alert(1)', fullName: '' }
  const { status, errors = [] } = bad(await ask(visitor(), applyEndpoint, { body }))
  expect(status).toBe(400)
  expect(errors.map(({ path }) => path)).toEqual(['fullName', 'resumeUrl'])
})

test('a file cannot be uploaded, and a link to one is never followed', async () => {
  const form =
    '--b\r\nContent-Disposition: form-data; name="resume"; filename="../cv.pdf.exe"\r\n\r\nMZ\r\n--b--'
  for (const { path } of [applyEndpoint, submitTicketEndpoint]) {
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    const answer = await visitor().call(path, { method: 'POST', text: form, headers })
    expect(bad(answer)).toMatchObject({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' })
  }
  let visits = 0
  const resume = createServer((_, response) => {
    visits += 1
    response.end()
  })
  resume.listen(0, '127.0.0.1')
  await once(resume, 'listening')
  onTestFinished(() => void resume.close())
  const resumeUrl = `http://127.0.0.1:${Object(resume.address()).port}/cv.pdf`
  await askGood(visitor(), applyEndpoint, { body: { ...application(), resumeUrl } })
  expect(visits).toBe(0)
})
