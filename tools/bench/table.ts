/** Prints a table: its titles, then one line for each row. The first column stands on the left, all others on the right. */
export function printRows(titles: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = titles.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  for (const row of [titles, ...rows]) {
    const cells = widths.map((width, column) => {
      const cell = row[column] ?? ''
      return column === 0 ? cell.padEnd(width) : cell.padStart(width)
    })
    console.log(cells.join('   ').trimEnd())
  }
}
