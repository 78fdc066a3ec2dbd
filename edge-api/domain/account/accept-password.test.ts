import { expect, test } from 'vitest'
import { isCommonPassword, namesOf } from './accept-password.ts'
import { loadCommonWords } from './common-passwords.ts'

const KNOWN = {
  own: namesOf({ username: 'ada_lovelace', email: 'countess1815@example.com' }),
  productName: 'Sotto',
  isCommonWord: await loadCommonWords(),
}

test.each([
  'Password1',
  'Passw0rd',
  'P@ssw0rd123',
  'Qwerty123',
  'Letmein1',
  'Welcome1',
  'Iloveyou1',
  'Monkey123',
  'Dragon2024!',
  'Football1',
  'Baseball99',
  'Sunshine1',
  'Princess1',
  'Admin123',
  'Abcdef1',
  'Superman1',
  'Master123',
  'Shadow12',
  'Michael1',
  'Summer2026',
  'Sotto2026',
  'Ada_Lovelace',
  'Countess1815',
  'Aa123456',
  'Zaq12wsx',
  '1q2w3e4R',
  'Q1w2e3r4',
  '1Qaz2wsx',
])('%s is refused as too common', (password) => {
  expect(isCommonPassword(password, KNOWN)).toBe(true)
})

test.each(['Quiet-Otter-42', 'Correct-Horse-9-Battery', 'Xk9mQ2', '  Bp7 ', 'Ümlaut9Ü'])(
  '%s is not refused',
  (password) => {
    expect(isCommonPassword(password, KNOWN)).toBe(false)
  },
)
