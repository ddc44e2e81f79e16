import { readBai2 } from './bai2/bai2.js'
import { readCamt052, readCamt053, readCamt054 } from './camt/camt.js'
import { readCfonb120 } from './cfonb120/cfonb120.js'
import { readCoda } from './coda/coda.js'
import { readCsv } from './csv/csv.js'
import { parseColumns } from './csv/csv-columns.js'
import { detectFormat } from './detect.js'
import { decodeStatement } from './encoding.js'
import { readMt940 } from './mt940/mt940.js'
import { readNorma43 } from './norma43/norma43.js'
import { parseNotation } from './notation-columns.js'
import { readOfx } from './ofx/ofx.js'
import { readQif } from './qif/qif.js'
import type { StatementFormats } from './readers.js'

/** All existing formats. */
export const FORMATS: StatementFormats = {
  readers: {
    camt052: readCamt052,
    camt053: readCamt053,
    camt054: readCamt054,
    mt940: readMt940,
    mt942: readMt940,
    csv: readCsv,
    ofx: readOfx,
    qif: readQif,
    coda: readCoda,
    cfonb120: readCfonb120,
    norma43: readNorma43,
    bai2: readBai2,
  },
  decode: decodeStatement,
  detect: detectFormat,
  parseColumns: (text) => parseNotation(text) ?? parseColumns(text),
}
