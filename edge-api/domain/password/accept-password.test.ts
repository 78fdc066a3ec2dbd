import { expect, test } from 'vitest'
import { isCommonPassword, namesOf } from './accept-password.ts'
import { loadCommonWords } from './common-passwords.ts'

const KNOWN = {
  own: namesOf({ username: 'ada_lovelace', email: 'countess1815@example.com' }),
  productName: 'Sotto',
  isCommonWord: await loadCommonWords(),
}

test.each([
  'Passw0rd',
  'P@ssw0rd123',
  'Dragon2024!',
  '99Baseball',
  'Sotto2026',
  'Ada_Lovelace',
  'Countess1815',
  'Aa123456',
  'Zaq12wsx',
  '1q2w3e4R',
])('%s is rejected as too common', (password) => {
  expect(isCommonPassword(password, KNOWN)).toBe(true)
})

test.each(['Quiet-Otter-42', 'Correct-Horse-9-Battery', 'Xk9mQ2', '  Bp7 ', 'Ümlaut9Ü'])(
  '%s is not rejected',
  (password) => {
    expect(isCommonPassword(password, KNOWN)).toBe(false)
  },
)
