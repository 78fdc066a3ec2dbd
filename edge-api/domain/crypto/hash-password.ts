import { scrypt, timingSafeEqual } from 'node:crypto'
import type { HashCost } from '../context.ts'

const SALT_BYTES = 16
const HASH_BYTES = 32
const PHC = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** The Unicode form of all new hashes, whatever the keyboard: NFC (RFC 8265 §4.2.2). Everything else stays as it was typed. */
export const normalPassword = (typed: string): string => typed.normalize('NFC')

/** Hashes a password into a PHC string, which says at what cost. */
export async function hashPassword(
  password: string,
  randomBytes: (count: number) => Uint8Array,
  cost = HASH_COST,
): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const hash = await derive(normalPassword(password), salt, cost, HASH_BYTES)
  const { log2N, r, p } = cost
  return `$scrypt$ln=${log2N},r=${r},p=${p}$${toBase64(salt)}$${toBase64(hash)}`
}

/**
 * The typed password in the Unicode form that matches a stored hash, or null: `normalPassword`, or, because older hashes were made
 * of what was typed, on this keyboard or on another, as typed or in NFD. A wrong password takes as long without a hash (unknown
 * address, deleted account) as with one.
 */
export async function matchPassword(
  typed: string,
  stored: string | null,
  currentCost = HASH_COST,
): Promise<string | null> {
  for (const password of new Set([normalPassword(typed), typed, typed.normalize('NFD')])) {
    if (await isHashOf(password, stored, currentCost)) return password
  }
  return null
}

async function isHashOf(
  password: string,
  stored: string | null,
  currentCost: HashCost,
): Promise<boolean> {
  const parsed = PHC.exec(stored ?? '')
  const [, log2N, r, p, salt, hash] = parsed ?? []
  if (salt === undefined || hash === undefined) {
    await derive(password, new Uint8Array(SALT_BYTES), currentCost, HASH_BYTES)
    return false
  }
  const expected = fromBase64(hash)
  const cost = { log2N: Number(log2N), r: Number(r), p: Number(p) }
  const actual = await derive(password, fromBase64(salt), cost, expected.length)
  return timingSafeEqual(actual, expected)
}

/** True for a hash of another Unicode form or cost than today's; the sign-in by the `password` that matched it replaces it. */
export function needsRehash(stored: string, password: string, currentCost = HASH_COST): boolean {
  const { log2N, r, p } = currentCost
  const isOfToday = stored.startsWith(`$scrypt$ln=${log2N},r=${r},p=${p}$`)
  return !isOfToday || password !== normalPassword(password)
}

function derive(
  password: string,
  salt: Uint8Array,
  cost: HashCost,
  length: number,
): Promise<Buffer> {
  const N = 2 ** cost.log2N
  const options = { N, r: cost.r, p: cost.p, maxmem: 128 * N * cost.r * 2 }
  return new Promise((resolve, reject) => {
    scrypt(password, salt, length, options, (error, key) => {
      if (error) reject(error)
      else resolve(key)
    })
  })
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replaceAll('=', '')
}

function fromBase64(text: string): Uint8Array {
  return Buffer.from(text, 'base64')
}

/** OWASP's setting for scrypt with 32 MiB: N = 2^15, r = 8, p = 3. */
export const HASH_COST: HashCost = { log2N: 15, r: 8, p: 3 }
