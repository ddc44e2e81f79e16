import { readCamt053 } from './camt053/camt053.js'
import { readCsv } from './csv/csv.js'
import { parseColumns } from './csv/csv-columns.js'
import { detectFormat } from './detect.js'
import { decodeStatement } from './encoding.js'
import { readMt940 } from './mt940/mt940.js'
import { readOfx } from './ofx/ofx.js'
import type { StatementFormats } from './readers.js'

/** All existing formats. */
export const FORMATS: StatementFormats = {
  readers: { camt053: readCamt053, mt940: readMt940, csv: readCsv, ofx: readOfx },
  decode: decodeStatement,
  detect: detectFormat,
  parseColumns,
}
