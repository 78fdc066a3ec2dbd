import { dictionary } from '@zxcvbn-ts/language-common'
import { expect, test } from 'vitest'
import { checkPassword } from '../../../src/contract/password.ts'
import { BITS_A_WORD, loadCommonWords, positionsOf } from './common-passwords.ts'

/** In lower case, the most common first. */
const passwords = [...new Set(dictionary['passwords-common'].map((word) => word.toLowerCase()))]

/** How many of the most common are searched for words, such as "sunshine" in "Sunshine1". */
const WORDS_AMONG = 5_000

/** Whether a password satisfies the rules once its first or its last letter is in upper case. */
function isFit(lower: string): boolean {
  const inUpperCase = (letter: string) => letter.toUpperCase()
  const spellings = [
    lower.replace(/[a-z]/, inUpperCase),
    lower.replace(/[a-z](?=[^a-z]*$)/, inUpperCase),
  ]
  return spellings.some((spelling) => checkPassword(spelling).every(({ holds }) => holds))
}

const fit = passwords.filter(isFit)
const words = passwords.slice(0, WORDS_AMONG).filter((word) => /^[a-z]{4,}$/.test(word))

const all = [...fit, ...words]

function makeFilter(): string {
  const bytes = new Uint8Array(all.length * (BITS_A_WORD / 8))
  for (const position of all.flatMap((word) => positionsOf(word, bytes.length * 8))) {
    const index = position >> 3
    bytes[index] = (bytes[index] ?? 0) | (1 << (position & 7))
  }
  return Buffer.from(bytes).toString('base64')
}

// After an update of the package: npx vitest run --project domain common-passwords -u
test('the filter holds what the package lists', async () => {
  const longest = Math.max(...all.map(({ length }) => length))
  const module = [
    '/** Made by common-passwords.test.ts. */',
    'export const FILTER =',
    `  '${makeFilter()}'`,
    '/** No word in the filter has more characters. */',
    `export const LONGEST = ${longest}`,
    '',
  ].join('\n')
  await expect(module).toMatchFileSnapshot('./common-passwords-filter.ts')
})

test('at least 10,000 common passwords that satisfy our rules are known', async () => {
  const isCommonWord = await loadCommonWords()
  expect(fit.length).toBeGreaterThanOrEqual(10_000)
  expect(all.filter((word) => !isCommonWord(word))).toEqual([])
})

test('at most 30 of 20,000 other texts are taken for common', async () => {
  const isCommonWord = await loadCommonWords()
  const others = Array.from({ length: 20_000 }, (_, index) => `quiet-otter-${index}`)
  expect(others.filter(isCommonWord).length).toBeLessThanOrEqual(30)
})
