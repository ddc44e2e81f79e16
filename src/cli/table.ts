/** A cell; null and the empty text are shown as `-`. */
export type TableCell = string | number | null

const GAP = '  '

/**
 * A list as the commands print it: one line of headings in capitals, then one line a row, columns
 * as wide as their widest cell. The last column is not padded. Control and formatting characters,
 * which a caller's text can hold, are replaced, so a row is always one line.
 * @param headings one a column
 * @param rows cells in the order of the headings
 */
export function tableText(
  headings: readonly string[],
  rows: readonly (readonly TableCell[])[],
): string {
  const lines = [headings.map((heading) => heading.toUpperCase()), ...rows.map(shownCells)]
  const widths = headings.map((_, i) => Math.max(...lines.map((cells) => (cells[i] ?? '').length)))
  const last = headings.length - 1
  const lineOf = (cells: readonly string[]): string =>
    cells.map((cell, i) => (i === last ? cell : cell.padEnd(widths[i] ?? 0))).join(GAP)
  return lines.map((cells) => `${lineOf(cells)}\n`).join('')
}

function shownCells(cells: readonly TableCell[]): string[] {
  return cells.map((cell) => {
    const text = String(cell ?? '')
    return text === '' ? '-' : text.replace(/\p{Cc}|\p{Cf}/gu, '\ufffd')
  })
}
