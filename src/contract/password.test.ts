import { expect, test } from 'vitest'
import { checkPassword, PasswordChosen } from './password.ts'

test.each([
  ['six characters', 'Abcde1'],
  ['128 characters', `Aa1${'x'.repeat(125)}`],
  ['blanks at both ends', '  Quiet 42  '],
  ['emoji and other scripts', 'Aa1 🦦 выдра'],
])('a password of %s is not changed', (_, password) => {
  expect(PasswordChosen.parse(password)).toBe(password)
})

test.each([
  ['a NUL', 'Quiet\u0000Otter42'],
  ['a lone surrogate', 'Quiet\ud800Otter42'],
])('a password with %s is rejected', (_, password) => {
  expect(PasswordChosen.safeParse(password).success).toBe(false)
})

test('the checklist has four lines, and each is ticked when its rule holds', () => {
  const holds = (password: string) => checkPassword(password).map((line) => line.holds)
  expect(checkPassword('').map(({ label }) => label)).toEqual([
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
