import { expect, test } from 'vitest'
import { PreferencesInput, ProfileInput } from './account.ts'
import { FIELD, VALUE } from './field-messages.ts'

const GOOD = { firstName: 'Ada', lastName: 'Lovelace', bio: '', phone: '' }

function message(change: Record<string, unknown>, field: string): string | undefined {
  const issues = ProfileInput.safeParse({ ...GOOD, ...change }).error?.issues ?? []
  return issues.find(({ path }) => path[0] === field)?.message
}

test('a phone number has only digits and the signs of phone numbers', () => {
  expect(message({ phone: '+44 (0)20 7946-0000' }, 'phone')).toBeUndefined()
  expect(message({ phone: 'call me' }, 'phone')).toBe(VALUE.phone)
})

test('names of 50 characters and a bio of 500 are within the limits', () => {
  const input = { firstName: 'a'.repeat(50), lastName: 'b'.repeat(50), bio: 'c'.repeat(500) }
  expect(ProfileInput.parse(input)).toEqual(input)
})

test('a bio may have several lines, a name may not', () => {
  expect(ProfileInput.parse({ ...GOOD, bio: 'one\ntwo' }).bio).toBe('one\ntwo')
  expect(message({ firstName: 'Ada\r\nBcc: x' }, 'firstName')).toBeDefined()
})

test.each(['\u200b\u200d', '\u3164', '\u2800\u2800', '\u00ad', '\u0301', '\u{e0041}'])(
  'a name of invisible characters only (%j) is missing',
  (name) => {
    expect(message({ firstName: name }, 'firstName')).toBe(FIELD.firstNameRequired)
  },
)

test('names in any script, with joiners and marks, are kept', () => {
  for (const firstName of ['Zoë', 'नरेन्द्र', '李', 'ع', '👩‍🚀']) {
    expect(message({ firstName }, 'firstName')).toBeUndefined()
  }
})

test('missing preferences get no default', () => {
  expect(PreferencesInput.partial().parse({ theme: 'dark' })).toEqual({ theme: 'dark' })
  // Mails about passwords, sessions and money cannot be switched off.
  expect(PreferencesInput.partial().parse({ mailSecurity: false, mailReceipts: false })).toEqual({})
  expect(PreferencesInput.partial().safeParse({ mailReminders: 'false' }).success).toBe(false)
})
