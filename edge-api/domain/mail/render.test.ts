import { expect, test } from 'vitest'
import { brand } from '../../../site/brand.ts'
import { applicationForTeamMessage, ticketForTeamMessage } from './ticket-messages.ts'
import { resetPasswordMessage, verifyAddressMessage } from './account-messages.ts'
import { mailRow } from './outbox.ts'
import { renderHtml, renderText } from './render.ts'

const SCRIPT = '<script>alert("x")</script><img src=x onerror=\'y\'>'

const TICKET = {
  email: 'ada@example.com',
  severity: 'medium',
  isFeatureRequest: false,
  query: SCRIPT,
} as const

test('A1 what a stranger wrote is text in the HTML of a mail', () => {
  const html = renderHtml(ticketForTeamMessage(TICKET, 'T-1'), brand)
  expect(html).not.toContain('<script')
  expect(html).not.toContain('<img')
  expect(html).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;')
})

test('A1 no line break reaches a header of a mail', () => {
  const application = {
    jobId: 'software-engineer-junior',
    fullName: 'Ada\r\nBcc: everybody@example.com',
    email: 'ada@example.com',
    phone: '1',
    linkedinUrl: '',
    githubUrl: '',
    resumeUrl: 'https://example.com/a.pdf',
    currentLocation: 'x',
    workingCountry: 'India',
    workAuthorization: 'opt',
    remotePreference: 'hybrid',
    experience: 'x',
    whyJoin: 'x',
  } as const
  const ctx = { brand, now: 0, newId: () => 'mail_1' }
  const to = 'team@example.com\nBcc: everybody@example.com'
  const row = mailRow(ctx, applicationForTeamMessage(application, 'A-1'), { to, userId: null })
  expect(row.subject).not.toMatch(/[\r\n]/)
  expect(row.toAddress).not.toMatch(/[\r\n]/)
})

test.each([
  ['verify', verifyAddressMessage(brand, 'https://sotto.example/verify-email/abc')],
  ['reset', resetPasswordMessage(brand, 'https://sotto.example/reset-password/abc')],
])('the %s mail holds its link in both parts and says that it is a secret', (_, message) => {
  const url = message.action?.url ?? ''
  expect(renderText(message, brand)).toContain(url)
  expect(renderHtml(message, brand)).toContain(`href="${url}"`)
  expect(message.hasSecret).toBe(true)
  expect(message.subject).toContain(brand.productName)
})

test('a link that verifies again when it is opened again is not said to work once', () => {
  const { paragraphs } = verifyAddressMessage(brand, 'https://sotto.example/verify-email/x')
  expect(paragraphs.join(' ')).toContain('The link works for 24 hours.')
})
