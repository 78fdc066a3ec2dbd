/** One small change of a source text, which some test should notice. */
export interface Mutant {
  /** From the top of the tree. */
  file: string
  line: number
  /** Where the changed piece begins, in characters from the beginning of the file. */
  start: number
  /** The changed piece and what it becomes, on one line each: with the file and its line's text, the mutant's name. */
  from: string
  to: string
  /** The line that holds the piece, trimmed. */
  at: string
  /** The whole file after the change. */
  text: string
}

/** A change as offsets into the text. */
export interface Change {
  start: number
  end: number
  to: string
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

/** The mutant that a change makes of a file. */
export function mutantOf(file: string, source: string, { start, end, to }: Change): Mutant {
  const lineStart = source.lastIndexOf('\n', start - 1) + 1
  const lineEnd = source.indexOf('\n', start)
  return {
    file,
    start,
    line: source.slice(0, start).split('\n').length,
    from: oneLine(source.slice(start, end)),
    to: oneLine(to),
    at: oneLine(source.slice(lineStart, lineEnd < 0 ? undefined : lineEnd)),
    text: source.slice(0, start) + to + source.slice(end),
  }
}
