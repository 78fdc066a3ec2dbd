import { expect, test } from 'vitest'
import { LoginInput, RegisterInput } from './session.ts'
import type { z } from './zod.ts'

const GOOD = {
  username: 'ada_lovelace',
  email: 'ada@example.com',
  password: 'Quiet-Otter-42',
  confirmPassword: 'Quiet-Otter-42',
}

/** The first message of a field, or undefined when it is fine. */
function message(schema: z.ZodType, value: unknown, field: string): string | undefined {
  const issues = schema.safeParse(value).error?.issues ?? []
  return issues.find(({ path }) => path.join('.') === field)?.message
}

function messages(schema: z.ZodType, value: unknown, field: string): string[] {
  const issues = schema.safeParse(value).error?.issues ?? []
  return issues.filter(({ path }) => path.join('.') === field).map((issue) => issue.message)
}

test('a registration that keeps all rules is taken as it was typed', () => {
  expect(RegisterInput.parse(GOOD)).toEqual(GOOD)
})

test.each([
  ['username', undefined, 'Username is required'],
  ['username', '', 'Username is required'],
  ['username', '   ', 'Username is required'],
  ['username', 'ab', 'Username must be at least 3 characters'],
  ['username', 'a'.repeat(31), 'Username cannot exceed 30 characters'],
  ['username', 'ada lovelace', 'Username can only contain letters, numbers, and underscores'],
  ['username', 'ada-lovelace', 'Username can only contain letters, numbers, and underscores'],
  ['username', 'adä_lovelace', 'Username can only contain letters, numbers, and underscores'],
  ['email', undefined, 'Please enter a valid email address'],
  ['email', '', 'Please enter a valid email address'],
  ['email', 'ada', 'Please enter a valid email address'],
  ['email', 'ada@example', 'Please enter a valid email address'],
  ['email', 'a b@example.com', 'Please enter a valid email address'],
  ['email', 'ada@example.com\r\nBcc: all@example.com', 'Please enter a valid email address'],
  ['email', `${'a'.repeat(250)}@example.com`, 'Please enter a valid email address'],
  ['password', undefined, 'Password is required'],
  ['password', '', 'Password is required'],
  ['password', 'Ab1cd', 'Password must be at least 6 characters'],
  ['password', 'quiet-otter-42', 'Password must contain at least one uppercase letter'],
  ['password', 'QUIET-OTTER-42', 'Password must contain at least one lowercase letter'],
  ['password', 'Quiet-Otter', 'Password must contain at least one number'],
  ['password', `Aa1${'x'.repeat(126)}`, 'Password cannot exceed 128 characters'],
  ['confirmPassword', undefined, 'Please confirm your password'],
  ['confirmPassword', '', 'Please confirm your password'],
  ['confirmPassword', 'Quiet-Otter-43', 'Passwords do not match'],
])('spec 5, register: %s %j is refused with its sentence', (field, value, sentence) => {
  expect(message(RegisterInput, { ...GOOD, [field]: value }, field)).toBe(sentence)
})

test('spec 5, register: a password that breaks all rules hears all of them', () => {
  expect(messages(RegisterInput, { ...GOOD, password: '-' }, 'password')).toEqual([
    'Password must be at least 6 characters',
    'Password must contain at least one uppercase letter',
    'Password must contain at least one lowercase letter',
    'Password must contain at least one number',
  ])
})

test('passwords that differ are told so while other fields are still wrong', () => {
  const wrong = { ...GOOD, username: '', confirmPassword: 'Other-1' }
  expect(message(RegisterInput, wrong, 'confirmPassword')).toBe('Passwords do not match')
  expect(message(RegisterInput, wrong, 'username')).toBe('Username is required')
})

test.each(['username', 'email', 'password', 'confirmPassword'])(
  'spec 5, register: an empty %s hears one sentence, and the others are judged all the same',
  (field) => {
    const wrong = { ...GOOD, confirmPassword: 'Other-1', [field]: '' }
    expect(messages(RegisterInput, wrong, field)).toHaveLength(1)
    const other = field === 'username' ? 'email' : 'username'
    expect(message(RegisterInput, { ...wrong, [other]: '' }, other)).toBeDefined()
  },
)

test.each([
  ['email', undefined, 'Email is required'],
  ['email', '', 'Email is required'],
  ['email', 'ada@', 'Invalid email address'],
  ['password', undefined, 'Password is required'],
  ['password', '', 'Password is required'],
  ['password', '12345', 'Password must be at least 6 characters'],
])('spec 5, login: %s %j is refused with its sentence', (field, value, sentence) => {
  const input = { email: 'ada@example.com', password: 'whatever', [field]: value }
  expect(message(LoginInput, input, field)).toBe(sentence)
})

test('signing in asks for no composition, since older passwords may have none', () => {
  expect(LoginInput.parse({ email: ' ada@example.com ', password: '      ' })).toEqual({
    email: 'ada@example.com',
    password: '      ',
    rememberMe: false,
  })
})
