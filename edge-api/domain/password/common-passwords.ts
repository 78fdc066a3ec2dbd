import { createHash } from 'node:crypto'

/** Bits that each word sets in the filter. With 16 bits a word, one in 1,700 other texts is taken for a word. */
export const BITS_A_WORD = 16
const PROBES = 8

/** Whether a text in lower case is a common password or a word that many of them are made of. */
export type IsCommonWord = (lower: string) => boolean

/**
 * Loads a Bloom filter over the most common passwords, in lower case: those that satisfy our rules with some letters in
 * upper case, and words to which people add digits. common-passwords.test.ts makes it from the package. It is loaded when a
 * password is chosen, because most calls choose none (30 KB compressed).
 */
export async function loadCommonWords(): Promise<IsCommonWord> {
  const { FILTER, LONGEST } = await import('./common-passwords-filter.ts')
  const filter = Buffer.from(FILTER, 'base64')
  return (lower) => {
    if (lower.length > LONGEST) return false
    return positionsOf(lower, filter.length * 8).every((position) => {
      const byte = filter[position >> 3] ?? 0
      return (byte & (1 << (position & 7))) !== 0
    })
  }
}

/** The bits of a word in a filter of `size` bits. */
export function positionsOf(word: string, size: number): number[] {
  const digest = createHash('sha256').update(word).digest()
  return Array.from({ length: PROBES }, (_, probe) => digest.readUInt32LE(probe * 4) % size)
}
