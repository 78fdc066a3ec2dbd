import { expect, test } from 'vitest'
import { Username } from '../../../src/contract/session.ts'
import { usernameFrom, withSuffix } from './new-username.ts'

const randomBytes = (count: number) => crypto.getRandomValues(new Uint8Array(count))

test.each([
  ['Ada Lovelace', 'ada_lovelace'],
  ['Zoë O’Neil', 'zoe_oneil'],
  ['  --Jo-- ', 'user'],
  ['山田太郎', 'user'],
  ['', 'user'],
  ['Wolfeschlegelsteinhausenbergerdorff', 'wolfeschlegelsteinhaus'],
  ['Anna Maria Magdalena of Example', 'anna_maria_magdalena_o'],
])('%s becomes %s', (name, username) => {
  expect(usernameFrom(name)).toBe(username)
})

test('the username is valid in the registration form, with or without a suffix', () => {
  for (const name of ['Ada Lovelace', '山田太郎', 'W'.repeat(60), 'a-b', "D'A"]) {
    const base = usernameFrom(name)
    expect(Username.safeParse(base).success).toBe(true)
    expect(Username.safeParse(withSuffix(base, { randomBytes })).success).toBe(true)
  }
})
