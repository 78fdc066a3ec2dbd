import { scryptSync } from 'node:crypto'

/** A hash that is cheap to check, for tests that are not about how long hashing takes. */
export function cheapHash(password: string): string {
  const salt = Buffer.from('sixteen-byte-salt').subarray(0, 16)
  const hash = scryptSync(password, salt, 32, { N: 2 ** 10, r: 8, p: 1 })
  const text = (part: Buffer) => part.toString('base64').replaceAll('=', '')
  return `$scrypt$ln=10,r=8,p=1$${text(salt)}$${text(hash)}`
}
