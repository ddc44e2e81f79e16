import type { WorkspaceWriter } from '../store/workspace-writer.js'
import type { DetectedFormat, StatementFormat } from './detect.js'
import type { DecodeOptions } from './encoding.js'
import { importStatement } from './import/import.js'
import type { ImportOptions } from './import/import-options.js'
import type { ImportReport } from './import/import-report.js'
import { importNdjson } from './ndjson/ndjson.js'
import { isNotationOnly } from './notation-columns.js'
import { type ReadOptions, StatementError, type StatementReader } from './statement.js'

/** The formats in the order in which messages list them. */
export const STATEMENT_FORMATS: readonly StatementFormat[] = [
  'camt052',
  'camt053',
  'camt054',
  'mt940',
  'mt942',
  'csv',
  'ofx',
  'qif',
  'coda',
  'cfonb120',
  'norma43',
  'bai2',
  'ndjson',
]

/** The decoders and readers of bank files: bytes to text, and text to events. */
export interface StatementFormats {
  readonly readers: Readonly<Partial<Record<StatementFormat, StatementReader>>>
  /**
   * Bytes -> text, streaming, without a byte order mark.
   * @param format undefined = not known yet
   */
  decode(
    chunks: AsyncIterable<Uint8Array>,
    format?: StatementFormat,
    options?: DecodeOptions,
  ): AsyncIterable<string>
  /** @param head the first few KB of the text, or all of it   @param fileName undefined = a pipe */
  detect(head: string, fileName: string | undefined): DetectedFormat
  /**
   * Reads the text of `--columns`.
   * @throws CommandError `usage` that names the fault and the allowed values
   */
  parseColumns(text: string): ReadonlyMap<string, string>
}

/**
 * Imports decoded text of a known format, see {@link importStatement} and {@link importNdjson}.
 * @throws StatementError
 */
export function importText(
  formats: StatementFormats,
  format: StatementFormat,
  workspace: WorkspaceWriter,
  text: AsyncIterable<string>,
  options: ImportOptions & ReadOptions,
): Promise<ImportReport> {
  if (format === 'ndjson') return importNdjson(workspace, text, options)
  if (format === 'csv' && options.columns !== undefined && isNotationOnly(options.columns)) {
    const example = '--columns bookingDate=Datum,amount=Betrag,dateFormat=dmy'
    const message = `it names no columns of the CSV file; write for example ${example}`
    throw new StatementError({ position: '--columns', message })
  }
  const reader = formats.readers[format]
  if (reader === undefined) {
    throw new StatementError({ position: 'the file', message: `${format} cannot be read` })
  }
  return importStatement(workspace, reader(text, options), options)
}
