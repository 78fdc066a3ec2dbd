import { expect, test } from 'vitest'
import { ForgotPasswordInput, ResetPasswordInput } from './credential.ts'
import { PASSWORD_CHECKLIST, PasswordChosen } from './password.ts'

const firstMessage = (result: { error?: { issues: { message: string }[] } | undefined }) =>
  result.error?.issues[0]?.message

test.each([
  [undefined, 'Password is required'],
  ['', 'Password is required'],
  ['Ab1cd', 'Password must be at least 6 characters'],
  [
    'quiet-otter-42',
    'Password must contain at least one uppercase letter, one lowercase letter, and one number',
  ],
  [
    'QUIET-OTTER-42',
    'Password must contain at least one uppercase letter, one lowercase letter, and one number',
  ],
  [
    'Quiet-Otter',
    'Password must contain at least one uppercase letter, one lowercase letter, and one number',
  ],
])('spec 5, reset password: %j is refused with its sentence', (password, sentence) => {
  expect(firstMessage(ResetPasswordInput.safeParse({ password }))).toBe(sentence)
})

test.each([
  [undefined, 'Email is required'],
  ['', 'Email is required'],
  ['nobody', 'Invalid email address'],
])('spec 5, forgot password: %j is refused with its sentence', (email, sentence) => {
  expect(firstMessage(ForgotPasswordInput.safeParse({ email }))).toBe(sentence)
})

test.each([
  ['six characters', 'Abcde1'],
  ['128 characters', `Aa1${'x'.repeat(125)}`],
  ['blanks at both ends', '  Quiet 42  '],
  ['emoji and other scripts', 'Aa1 🦦 выдра'],
])('P1 a password of %s is taken exactly as received', (_, password) => {
  expect(PasswordChosen.parse(password)).toBe(password)
})

test.each([
  ['a NUL', 'Quiet\u0000Otter42'],
  ['a lone surrogate', 'Quiet\ud800Otter42'],
])('P7 a password with %s is refused', (_, password) => {
  expect(PasswordChosen.safeParse(password).success).toBe(false)
})

test('spec 2, register: the checklist shows four lines, each told by its rule', () => {
  const holds = (password: string) => PASSWORD_CHECKLIST.map((line) => line.holds(password))
  expect(PASSWORD_CHECKLIST.map(({ label }) => label)).toEqual([
    'At least 6 characters',
    'One uppercase letter',
    'One lowercase letter',
    'One number',
  ])
  expect(holds('')).toEqual([false, false, false, false])
  expect(holds('ABC')).toEqual([false, true, false, false])
  expect(holds('abc1')).toEqual([false, false, true, true])
  expect(holds('Abcde1')).toEqual([true, true, true, true])
})
