import { type CsvColumn, type CsvDialect, csvHead, csvLines } from './csv-text.js'

/** Rows that are written in one slice, two milliseconds' worth of usual ones. */
const SLICE_ROWS_MAX = 200

/** UTF-16 units of text after which a slice ends, two milliseconds' worth of long texts. */
const SLICE_UNITS_MAX = 128 * 1024

/**
 * A CSV file, written in slices, so that other requests get their turn however long the texts are.
 * @param rows are read as they are written   @param nextTurn is awaited between slices
 */
export async function csvInSlices<Row>(
  columns: readonly CsvColumn<Row>[],
  rows: Iterable<Row>,
  dialect: CsvDialect,
  nextTurn: () => Promise<void>,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let text = csvHead(columns, dialect)
  let rowCount = 0
  for (const row of rows) {
    text += csvLines(columns, [row], dialect)
    rowCount += 1
    if (rowCount < SLICE_ROWS_MAX && text.length < SLICE_UNITS_MAX) continue
    chunks.push(Buffer.from(text))
    text = ''
    rowCount = 0
    await nextTurn()
  }
  return Buffer.concat([...chunks, Buffer.from(text)])
}
