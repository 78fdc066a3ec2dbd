export interface Collection<Item> {
  entity: 'collection'
  count: number
  items: Item[]
}

export function collection<Item>(items: Item[]): Collection<Item> {
  return { entity: 'collection', count: items.length, items }
}

function readNumber(query: URLSearchParams, name: string, fallback: number): number {
  const value = Number(query.get(name) ?? fallback)
  return Number.isSafeInteger(value) && value >= 0 ? value : fallback
}

/** One page, newest first: `from` and `to` in seconds, `count` (10, at most 100) and `skip`. */
export function page<Item extends { created_at: number }>(
  oldestFirst: Item[],
  query: URLSearchParams,
): Item[] {
  const from = readNumber(query, 'from', 0)
  const to = readNumber(query, 'to', Number.MAX_SAFE_INTEGER)
  const skip = readNumber(query, 'skip', 0)
  const count = Math.min(readNumber(query, 'count', 10), 100)
  return oldestFirst
    .filter((item) => item.created_at >= from && item.created_at <= to)
    .reverse()
    .slice(skip, skip + count)
}
