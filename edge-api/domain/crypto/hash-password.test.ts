import { randomBytes, scryptSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { hashPassword, matchPassword, needsRehash } from './hash-password.ts'

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
  expect(await matchPassword(password, stored)).toBe(password)
  expect(await matchPassword(password.slice(0, -1), stored)).toBe(null)
  if (password.trim() !== password) expect(await matchPassword(password.trim(), stored)).toBe(null)
})

test('a hash contains its parameters, scrypt with 32 MiB, and a random salt', async () => {
  const [one, other] = await Promise.all([
    hashPassword('Quiet-Otter-42', bytes),
    hashPassword('Quiet-Otter-42', bytes),
  ])
  expect(one).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[\w+/]{22}\$[\w+/]{43}$/)
  expect(one).not.toBe(other)
  expect(needsRehash(one, 'Quiet-Otter-42')).toBe(false)
})

test('a hash with older parameters still verifies and needs a rehash', async () => {
  const stored = await hashPassword('Quiet-Otter-42', bytes, OLDER)
  expect(await matchPassword('Quiet-Otter-42', stored)).toBe('Quiet-Otter-42')
  expect(await matchPassword('Quiet-Otter-43', stored)).toBe(null)
  expect(needsRehash(stored, 'Quiet-Otter-42')).toBe(true)
})

const COMPOSED = 'Otter-Caf\u00e9-42'
const DECOMPOSED = 'Otter-Cafe\u0301-42'

/** A hash of the text as it is, as they were made before passwords were normalised. */
function hashAsTyped(password: string): string {
  const salt = Buffer.alloc(16, 7)
  const hash = scryptSync(password, salt, 32, { N: 2 ** OLDER.log2N, r: OLDER.r, p: OLDER.p })
  const text = (part: Buffer) => part.toString('base64').replaceAll('=', '')
  return `$scrypt$ln=10,r=8,p=1$${text(salt)}$${text(hash)}`
}

test.each([
  [COMPOSED, COMPOSED],
  [COMPOSED, DECOMPOSED],
  [DECOMPOSED, COMPOSED],
  [DECOMPOSED, DECOMPOSED],
])(
  'a password chosen as %j is right when typed as %j, on today\u2019s hashes and on those of before',
  async (chosen, typed) => {
    expect(await matchPassword(typed, await hashPassword(chosen, bytes, OLDER))).toBe(COMPOSED)
    const older = hashAsTyped(chosen)
    const matched = await matchPassword(typed, older)
    expect(matched).toBe(chosen)
    expect(needsRehash(older, String(matched), OLDER)).toBe(chosen === DECOMPOSED)
  },
)

test.each([[null], [''], ['$2b$10$abcdefghijklmnopqrstuv'], ['$scrypt$ln=15,r=8,p=3$only']])(
  'no password matches a stored %j',
  async (stored) => {
    expect(await matchPassword('Quiet-Otter-42', stored, OLDER)).toBe(null)
  },
)
