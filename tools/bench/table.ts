/**
 * Prints a table: its titles, then one line for each row. Figures stand on the right.
 *
 * @param words the columns that stand on the left
 */
export function printRows(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  words: readonly number[] = [0],
): void {
  const widths = titles.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  for (const row of [titles, ...rows]) {
    const cells = widths.map((width, column) => {
      const cell = row[column] ?? ''
      return words.includes(column) ? cell.padEnd(width) : cell.padStart(width)
    })
    console.log(cells.join('   ').trimEnd())
  }
}
