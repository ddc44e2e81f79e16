import { readBai2 } from './bai2/bai2.js'
import { readCamt053 } from './camt053/camt053.js'
import { parseColumns, readCsv } from './csv/csv.js'
import { detectFormat } from './detect.js'
import { decodeStatement } from './encoding.js'
import { readMt940 } from './mt940/mt940.js'
import { parseNotation } from './notation-columns.js'
import { readOfx } from './ofx/ofx.js'
import { readQif } from './qif/qif.js'
import type { StatementFormats } from './readers.js'

/** All existing formats. */
export const FORMATS: StatementFormats = {
  readers: {
    camt053: readCamt053,
    mt940: readMt940,
    csv: readCsv,
    ofx: readOfx,
    bai2: readBai2,
    qif: readQif,
  },
  decode: decodeStatement,
  detect: detectFormat,
  parseColumns: (text) => parseNotation(text) ?? parseColumns(text),
}
