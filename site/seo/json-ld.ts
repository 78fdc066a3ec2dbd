/** A schema.org object, written into the page as it is. */
export interface Thing {
  readonly '@type': string
  readonly [property: string]: unknown
}

/** JSON for a script element: `<` is escaped so that no text can end the element. */
export function jsonLdText(thing: Thing): string {
  return JSON.stringify({ '@context': 'https://schema.org', ...thing }).replaceAll('<', '\\u003c')
}
