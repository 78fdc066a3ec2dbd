/** Lines of cells as a CSV file (RFC 4180). Cells of text come from `csvText`. */
export function csv(lines: readonly (readonly string[])[]): string {
  return [...lines.map((cells) => cells.join(',')), ''].join('\r\n')
}

/** A text as a cell: quoted where necessary, and never a formula. */
export function csvText(value: string): string {
  // A spreadsheet would run a text that begins like a formula.
  const text = /^[=+\-@\t\r＝＋－＠]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
