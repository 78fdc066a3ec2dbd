import { createHash } from 'node:crypto'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/**
 * The variable part of an id: `EMU` and 11 characters, 14 in all as Razorpay's own.
 * The same seed and counter give the same id.
 */
export function makeIdBody(seed: string, counter: number): string {
  const digest = createHash('sha256')
    .update(`${seed}:${String(counter)}`)
    .digest()
  const tail = Array.from(digest.subarray(0, 11), (byte) => alphabet.charAt(byte % alphabet.length))
  return `EMU${tail.join('')}`
}

/** A seed that differs from the one before, for a reset that must not hand out the same ids again. */
export function nextSeed(seed: string, counter: number): string {
  return createHash('sha256')
    .update(`reset:${seed}:${String(counter)}`)
    .digest('hex')
    .slice(0, 16)
}
