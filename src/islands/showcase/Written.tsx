/** Milliseconds between two letters: a quick typist. A word appears when its first letter would. */
const LETTER_MS = 22

/** How many milliseconds it takes to write a text. */
export const spellingMs = (text: string) => text.length * LETTER_MS

interface Props {
  readonly text: string
  readonly by: 'letter' | 'word'
  /** After how many milliseconds it begins. */
  readonly atMs: number
}

/** A text that is written while the visitor looks; with reduced motion it is there at once. */
export function Written({ text, by, atMs }: Props) {
  const pieces = by === 'letter' ? [...text] : text.split(/(?<= )/)
  let written = ''
  return pieces.map((piece, nth) => {
    const delay = atMs + spellingMs(written)
    written += piece
    return (
      // The pieces of a text never change places.
      <span key={nth} className="written" style={{ animationDelay: `${delay}ms` }}>
        {piece}
      </span>
    )
  })
}
