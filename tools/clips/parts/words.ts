import { moments } from './motion.ts'

/** Milliseconds between two words of a written answer: quick, and still read as writing. */
const wordMs = 65

/** How long the marker waits after the last word before it is drawn. */
const markPauseMs = 300

/** Text of a scene made safe to stand in its markup. */
export function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** The moment at which a text begun at `atMs` stands written. */
export function writtenBy(text: string, atMs: number): number {
  return atMs + text.trim().split(/\s+/).length * wordMs + 150
}

/**
 * Text that is written word by word from `atMs`. A stretch between `[[` and `]]` is drawn over
 * with the marker once the whole text stands.
 */
export function written(text: string, atMs: number): string {
  const markAt = moments(writtenBy(text, atMs) + markPauseMs)
  let count = 0
  const word = (letters: string): string => {
    const span = `<span class="word" ${moments(atMs + count * wordMs)}>${escape(letters)}</span>`
    count += 1
    return span
  }
  const marked = escape(/\[\[(.+)\]\]/.exec(text)?.[1] ?? '')
  return text.replaceAll(/\[\[|\]\]|(?:(?!\[\[|\]\])\S)+/g, (piece) => {
    if (piece === '[[') return `<mark data-text="${marked}" ${markAt}>`
    if (piece === ']]') return '</mark>'
    return word(piece)
  })
}
