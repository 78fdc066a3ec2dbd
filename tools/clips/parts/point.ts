import { line } from './slip.ts'
import { moments } from './motion.ts'
import { escape, written } from './words.ts'

interface Point {
  number: number
  /** One word that says what this step does; left out, the text stands alone. */
  name?: string
  text: string
  atMs: number
}

/** One numbered step of a structured answer. */
export function point({ number, name, text, atMs }: Point): string {
  const title =
    name === undefined ? '' : `<b class="fade" ${moments(atMs + 60)}>${escape(name)}</b> `
  const content = `<span class="number fade" ${moments(atMs + 60)}>${String(number)}</span>
    <p>${title}${written(text, atMs + 200)}</p>`
  return line(content, atMs, 'point')
}
