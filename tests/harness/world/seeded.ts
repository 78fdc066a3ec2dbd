/** Choices that follow from a seed alone, so that a history can be played again. */
interface Seeded {
  /** From 0 up to 1. */
  next: () => number
  /** A whole number from `min` to `max`, both included. */
  int: (min: number, max: number) => number
  chance: (share: number) => boolean
  /** One of the entries; undefined when there are none. */
  pick: <Entry>(entries: readonly Entry[]) => Entry | undefined
  bytes: (count: number) => Uint8Array<ArrayBuffer>
}

/** Mulberry32, a small generator whose numbers are even enough to choose steps by. */
export function seeded(seed: number): Seeded {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const int = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  return {
    next,
    int,
    chance: (share) => next() < share,
    pick: (entries) => entries[Math.floor(next() * entries.length)],
    bytes: (count) => Uint8Array.from({ length: count }, () => int(0, 255)),
  }
}
