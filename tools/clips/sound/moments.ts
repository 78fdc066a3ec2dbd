/** Something a film lets be heard: a key or a stroke of the pen, or the slip as it opens. */
export interface Sounding {
  atMs: number
  kind: 'key' | 'stroke' | 'slip'
}

const tied = /class="([^"]*)"[^>]*?--at:(\d+)ms/g
const codeLines = /class="line code"><div[^>]*?--at:(\d+)ms[^>]*>(.*?)<\/div>/g
const tags = /<[^>]*>/g

const lettersPerKey = 5
const keyEveryMs = 62

const kinds = { slip: 'slip', word: 'key', box: 'stroke', draw: 'stroke' } as const

/** A line of code comes at once; it is heard as the few keys it would take. */
function keysOfCode(html: string): Sounding[] {
  return [...html.matchAll(codeLines)].flatMap(([, atMs, content = '']) => {
    const letters = content.replaceAll(tags, '').trim().length
    return Array.from({ length: Math.ceil(letters / lettersPerKey) }, (_, nth) => {
      return { atMs: Number(atMs) + nth * keyEveryMs, kind: kinds.word }
    })
  })
}

/** What is heard in a scene and when, read from the moments its own markup carries. */
export function soundings(html: string): Sounding[] {
  const others = [...html.matchAll(tied)].flatMap(([, names = '', atMs]) =>
    Object.entries(kinds)
      .filter(([name]) => names.split(/\s+/).includes(name))
      .map(([, kind]) => ({ atMs: Number(atMs), kind })),
  )
  return [...others, ...keysOfCode(html)].toSorted((a, b) => a.atMs - b.atMs)
}
