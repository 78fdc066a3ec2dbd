import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { hashPassword, needsRehash, verifyPassword } from './password-hash.ts'

const bytes = (count: number) => new Uint8Array(randomBytes(count))

/** The cost of an older hash. */
const OLDER = { log2N: 10, r: 8, p: 1 }

test.each([
  ['72 bytes and more', `Aa1${'é'.repeat(60)}`],
  ['blanks at both ends', '  Quiet Otter 42  '],
  ['emoji', 'Aa1 🦦🦦🦦'],
  ['128 characters', `Aa1${'x'.repeat(125)}`],
])('a password of %s verifies exactly as it was received', async (_, password) => {
  const stored = await hashPassword(password, bytes, OLDER)
  expect(await verifyPassword(password, stored)).toBe(true)
  expect(await verifyPassword(password.slice(0, -1), stored)).toBe(false)
  expect(await verifyPassword(password.trim(), stored)).toBe(password.trim() === password)
})

test('a hash contains its parameters, scrypt with 32 MiB, and a random salt', async () => {
  const [one, other] = await Promise.all([
    hashPassword('Quiet-Otter-42', bytes),
    hashPassword('Quiet-Otter-42', bytes),
  ])
  expect(one).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[\w+/]{22}\$[\w+/]{43}$/)
  expect(one).not.toBe(other)
  expect(needsRehash(one)).toBe(false)
})

test('a hash with older parameters still verifies and needs a rehash', async () => {
  const stored = await hashPassword('Quiet-Otter-42', bytes, OLDER)
  expect(await verifyPassword('Quiet-Otter-42', stored)).toBe(true)
  expect(await verifyPassword('Quiet-Otter-43', stored)).toBe(false)
  expect(needsRehash(stored)).toBe(true)
})

test.each([[null], [''], ['$2b$10$abcdefghijklmnopqrstuv'], ['$scrypt$ln=15,r=8,p=3$only']])(
  'no password matches a stored %j',
  async (stored) => {
    expect(await verifyPassword('Quiet-Otter-42', stored, OLDER)).toBe(false)
  },
)
