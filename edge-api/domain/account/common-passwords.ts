import { createHash } from 'node:crypto'
import { FILTER, LONGEST } from './common-passwords-filter.ts'

/** Bits that each word sets in the filter. With 16 bits a word, one in 1,700 other texts is taken for a word. */
export const BITS_A_WORD = 16
const PROBES = 8

/**
 * A Bloom filter over the most common passwords, in lower case: those that satisfy our rules with some of their letters
 * in upper case, and the words that people put digits behind. common-passwords.test.ts makes it from the package.
 */
const filter = Buffer.from(FILTER, 'base64')

/** Whether a text in lower case is a common password or a word that many of them are made of. */
export function isCommonWord(lower: string): boolean {
  if (lower.length > LONGEST) return false
  return positionsOf(lower, filter.length * 8).every((position) => {
    const byte = filter[position >> 3] ?? 0
    return (byte & (1 << (position & 7))) !== 0
  })
}

/** The bits of a word in a filter of `size` bits. */
export function positionsOf(word: string, size: number): number[] {
  const digest = createHash('sha256').update(word).digest()
  return Array.from({ length: PROBES }, (_, probe) => digest.readUInt32LE(probe * 4) % size)
}
