import { expect, test } from 'vitest'
import { exampleOf } from '../../site/openapi/examples.ts'
import {
  ApplicationInput,
  applyEndpoint,
  REMOTE_PREFERENCES,
  WORK_AUTHORIZATIONS,
  WORKING_COUNTRIES,
} from './careers.ts'
import { TicketInput } from './support.ts'

const TICKET = { email: 'ada@example.com', query: 'It does not start.' }

const APPLICATION = ApplicationInput.parse(exampleOf(applyEndpoint).body)

test('a ticket has medium severity and is not a feature request by default', () => {
  expect(TicketInput.parse(TICKET)).toMatchObject({
    ...TICKET,
    severity: 'medium',
    isFeatureRequest: false,
  })
})

test('a ticket may be longer than the 1000 characters of its counter, but not 1 MB', () => {
  expect(TicketInput.safeParse({ ...TICKET, query: 'a'.repeat(1_001) }).success).toBe(true)
  expect(TicketInput.safeParse({ ...TICKET, query: 'a'.repeat(1_000_000) }).success).toBe(false)
})

test('the LinkedIn and GitHub links of an application are optional', () => {
  const without = (link?: string) => ({ ...APPLICATION, linkedinUrl: link, githubUrl: link })
  expect(ApplicationInput.parse(without())).toEqual(without(''))
})

test('a link may have an @ in its path', () => {
  const resumeUrl = 'https://medium.com/@ada/resume?by=a@example.com'
  expect(ApplicationInput.parse({ ...APPLICATION, resumeUrl }).resumeUrl).toBe(resumeUrl)
})

test.each([
  ['javascript:alert(1)'],
  ['ftp://example.com/ada.pdf'],
  ['file:///etc/passwd'],
  ['ada.pdf'],
  ['https://google.com@evil.example/'],
  ['https://ada:secret@example.com/'],
  ['https:@evil.example'],
  ['https://example.com/\ud800'],
  ['https://example.com/\u0000'],
  ['https://example.com/\u202efdp.exe'],
  [`https://example.com/${'a'.repeat(500)}`],
])('%s is rejected as a link to a resume', (resumeUrl) => {
  expect(ApplicationInput.safeParse({ ...APPLICATION, resumeUrl }).success).toBe(false)
})

test.each([
  ['workingCountry', WORKING_COUNTRIES, 16],
  ['workAuthorization', WORK_AUTHORIZATIONS, 6],
  ['remotePreference', REMOTE_PREFERENCES, 3],
] as const)('%s accepts every value of its list and no other', (field, values, count) => {
  const isAccepted = (value: string) =>
    ApplicationInput.safeParse({ ...APPLICATION, [field]: value }).success
  expect(new Set(values).size).toBe(count)
  expect(values.filter((value) => !isAccepted(value))).toEqual([])
  expect(isAccepted('Atlantis')).toBe(false)
})

/** Invalid values. */
const SENT = [
  undefined,
  null,
  '',
  7,
  '!!',
  'a\u0000b',
  'javascript:alert(1)',
  'x'.repeat(6_000),
  `https://x.test/${'x'.repeat(600)}`,
]

const fields = Object.keys(ApplicationInput.shape)

test.each(fields)('every message of the field %s continues the label of that field', (field) => {
  const messages = SENT.flatMap((value) => {
    const { error } = ApplicationInput.safeParse({ [field]: value })
    return (error?.issues ?? []).filter(({ path }) => path[0] === field).map((i) => i.message)
  })
  expect(messages).not.toEqual([])
  const predicate = /^(Email )?(is required|must be .+|cannot exceed \d+ characters|contains .+)$/
  for (const message of messages) expect(message).toMatch(predicate)
})
