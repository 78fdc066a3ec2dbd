import { USERNAME_MIN } from '../../../src/contract/limits.ts'
import type { Context } from '../context.ts'

/** Leaves room for a suffix within USERNAME_MAX characters. */
const BASE_MAX = 22
const SUFFIX = 'bcdfghjkmnpqrstvwxz23456789'
const FALLBACK = 'user'

/** A person's name as a username ("Zoë O'Neil" → "zoe_oneil"), or 'user' when none of its letters is allowed. */
export function usernameFrom(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/['’]/g, '')
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, BASE_MAX)
    .replace(/_$/, '')
  return plain.length < USERNAME_MIN ? FALLBACK : plain
}

/** The same with six random characters. */
export function withSuffix(base: string, { randomBytes }: Pick<Context, 'randomBytes'>): string {
  const suffix = Array.from(randomBytes(6), (byte) => SUFFIX.charAt(byte % SUFFIX.length)).join('')
  return `${base}_${suffix}`
}
