/** An entry of the ledger, as it was entered. */
export interface Entry {
  ref: string
  account: string
  kind: string
  tokens: number
  purchase: string | null
}

interface Lot {
  ref: string
  account: string
  purchase: string | null
  left: number
}

/**
 * The tokens left of each purchase, trial and gift after these entries, by the ref of the entry that granted it. Tests
 * compare this plain calculation with the database's `lots`. Throws when an entry takes more than there is.
 */
export function expectedLots(entries: readonly Entry[]): Map<string, number> {
  const lots: Lot[] = []
  for (const entry of entries) {
    const { ref, account, kind, tokens, purchase } = entry
    const isOwn = kind === 'reversal' || kind === 'restoration'
    if (tokens > 0 && !isOwn) lots.push({ ref, account, purchase, left: tokens })
    else if (isOwn) {
      const own = lots.filter((lot) => lot.purchase === purchase && lot.account === account)
      for (const lot of own) lot.left += tokens
      if (own.length !== 1 || own.some(({ left }) => left < 0)) throw new Error(`${ref} takes more`)
    } else take(entry, lots)
  }
  return new Map(lots.map(({ ref, left }) => [ref, left]))
}

/** Takes the oldest first; an operator takes tokens that were not bought first. */
function take({ ref, account, kind, tokens }: Entry, lots: readonly Lot[]): void {
  const own = lots.filter((lot) => lot.account === account)
  const bought = own.filter(({ purchase }) => purchase !== null)
  const given = own.filter(({ purchase }) => purchase === null)
  let missing = -tokens
  for (const lot of kind === 'adjustment' ? [...given, ...bought] : own) {
    const taken = Math.min(lot.left, missing)
    lot.left -= taken
    missing -= taken
  }
  if (missing > 0) throw new Error(`${ref} takes more than there is`)
}
