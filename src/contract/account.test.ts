import { expect, test } from 'vitest'
import { Preferences, ProfileInput } from './account.ts'

const GOOD = { firstName: 'Ada', lastName: 'Lovelace', bio: '', phone: '' }

function message(change: Record<string, unknown>, field: string): string | undefined {
  const issues = ProfileInput.safeParse({ ...GOOD, ...change }).error?.issues ?? []
  return issues.find(({ path }) => path[0] === field)?.message
}

test.each([
  ['firstName', '', 'First name is required'],
  ['firstName', '  ', 'First name is required'],
  ['firstName', 'a'.repeat(51), 'First name cannot exceed 50 characters'],
  ['lastName', '', 'Last name is required'],
  ['lastName', 'a'.repeat(51), 'Last name cannot exceed 50 characters'],
  ['bio', 'a'.repeat(501), 'Bio cannot exceed 500 characters'],
  ['phone', 'call me', 'Please enter a valid phone number'],
])('spec 5, profile: %s %j is refused with its sentence', (field, value, sentence) => {
  expect(message({ [field]: value }, field)).toBe(sentence)
})

test('names of 50 characters and a bio of 500 are within the limits', () => {
  const input = { firstName: 'a'.repeat(50), lastName: 'b'.repeat(50), bio: 'c'.repeat(500) }
  expect(ProfileInput.parse(input)).toEqual({ ...input, phone: '' })
})

test('a bio keeps its lines, a name has none', () => {
  expect(ProfileInput.parse({ ...GOOD, bio: 'one\ntwo' }).bio).toBe('one\ntwo')
  expect(message({ firstName: 'Ada\r\nBcc: x' }, 'firstName')).toBeDefined()
})

test('preferences that are left out stay left out', () => {
  expect(Preferences.partial().parse({ theme: 'dark' })).toEqual({ theme: 'dark' })
  expect(Preferences.partial().safeParse({ mailReceipts: 'false' }).success).toBe(false)
})
