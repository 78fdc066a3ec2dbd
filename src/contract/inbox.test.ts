import { expect, test } from 'vitest'
import { ApplicationInput, WORK_AUTHORIZATIONS, WORKING_COUNTRIES } from './careers.ts'
import { TicketInput } from './support.ts'

const TICKET = { email: 'ada@example.com', query: 'It does not start.' }

const APPLICATION = {
  jobId: 'software-engineer-junior',
  fullName: 'Ada Lovelace',
  email: 'ada@example.com',
  phone: '+44 20 7946 0000',
  resumeUrl: 'https://example.com/ada.pdf',
  currentLocation: 'London, United Kingdom',
  workingCountry: 'United Kingdom',
  workAuthorization: 'other-visa',
  remotePreference: 'hybrid',
  experience: 'Notes',
  whyJoin: 'Quiet machines',
}

const REQUIRED_FIELDS = Object.keys(APPLICATION).filter((field) => field !== 'jobId')

test('a ticket is of medium severity and no feature request unless it says so', () => {
  expect(TicketInput.parse(TICKET)).toEqual({
    ...TICKET,
    severity: 'medium',
    isFeatureRequest: false,
  })
})

test('spec 5, support: without a question it is "Please fill in all required fields"', () => {
  const { error } = TicketInput.safeParse({ ...TICKET, query: ' ' })
  expect(error?.issues.map(({ message }) => message)).toEqual([
    'Please fill in all required fields',
  ])
})

test('spec 5, support: more than the counter of 1000 characters is taken, 1 MB is not', () => {
  expect(TicketInput.safeParse({ ...TICKET, query: 'a'.repeat(1_001) }).success).toBe(true)
  expect(TicketInput.safeParse({ ...TICKET, query: 'a'.repeat(1_000_000) }).success).toBe(false)
})

test('an application without the two optional links is complete', () => {
  expect(ApplicationInput.parse(APPLICATION)).toEqual({
    ...APPLICATION,
    linkedinUrl: '',
    githubUrl: '',
  })
})

test.each(REQUIRED_FIELDS)('spec 5, careers: %s is required', (field) => {
  const issues = ApplicationInput.safeParse({ ...APPLICATION, [field]: undefined }).error?.issues
  expect(issues?.map(({ path }) => path.join('.'))).toEqual([field])
})

test.each([
  ['javascript:alert(1)'],
  ['ftp://example.com/ada.pdf'],
  ['file:///etc/passwd'],
  ['ada.pdf'],
  [`https://example.com/${'a'.repeat(500)}`],
])('A1 %s is no link to a resume', (resumeUrl) => {
  expect(ApplicationInput.safeParse({ ...APPLICATION, resumeUrl }).success).toBe(false)
})

test('spec 3: sixteen countries, six authorizations', () => {
  expect(WORKING_COUNTRIES).toHaveLength(16)
  expect(WORK_AUTHORIZATIONS).toHaveLength(6)
})
