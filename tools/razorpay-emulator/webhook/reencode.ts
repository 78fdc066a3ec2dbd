/** The same JSON written another way; a receiver that signs the raw bytes still accepts it. */
export function reencode(body: string, style: 'pretty' | 'slashes' | 'unicode'): string {
  if (style === 'pretty') return JSON.stringify(JSON.parse(body), null, 4)
  if (style === 'slashes') return body.replaceAll('/', '\\/')
  return body.replace(/[@&<>'\u0080-\uffff]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

/** Keys in alphabetical order at every level, as payment-link events come. */
export function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortKeys(inner)]))
}
