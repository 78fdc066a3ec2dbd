/**
 * Puts values where a text says `{name}`. Texts in content/ hold no product name or price of their own, so that
 * brand.ts and the catalogue stay the only places that do.
 * Throws when a text asks for a name that is not known: the build stops.
 */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`A text asks for {${name}}, which nobody knows.`)
    return value
  })
}
