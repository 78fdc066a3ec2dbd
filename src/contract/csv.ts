/** How a CSV file begins, because Excel reads one without it as Windows-1252. */
export const CSV_START = '\ufeff'

/** Lines of cells of a CSV file (RFC 4180), which begins with `CSV_START`. Cells of text come from `csvText`. */
export function csv(lines: readonly (readonly string[])[]): string {
  return [...lines.map((cells) => cells.join(',')), ''].join('\r\n')
}

/** A text as a cell: quoted where necessary, and never a formula. */
export function csvText(value: string): string {
  // A spreadsheet runs a text that begins like a formula. Some split cells at semicolons, tabs and line breaks, quoted or not.
  const text = value.replaceAll(/(^|[;\t\r\n])(?=\s*[=+\-@\t\r＝＋－＠])/g, "$1'")
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
