/** What scrypt costs: N = 2^log2N blocks of r × 128 bytes, p times. */
export interface HashCost {
  readonly log2N: number
  readonly r: number
  readonly p: number
}

/** OWASP's setting for scrypt with 32 MiB: N = 2^15, r = 8, p = 3. */
export const HASH_COST: HashCost = { log2N: 15, r: 8, p: 3 }
