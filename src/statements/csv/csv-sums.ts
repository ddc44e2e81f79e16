import type { StatementBalance } from '../statement.js'
import { columnKey } from './csv-profile.js'
import type { CsvRecord } from './csv-records.js'

/** Usual beginnings of a line with the balance after the last booking of the file. */
const CLOSING = new RegExp(
  [
    '^(?:neuer |aktueller )?kontostand',
    '^(?:end|eind|schluss)saldo',
    '^saldo(?::| vom | am | per | final|$)',
    '^solde (?:en fin|final)',
    '^(?:closing|ledger|current) balance',
    '^balance at end',
  ].join('|'),
  'u',
)

/** Usual beginnings of a line with the balance before the first booking. */
const OPENING = new RegExp(
  [
    '^alter kontostand',
    '^(?:anfangs|begin)saldo',
    '^saldo inicial',
    '^solde (?:en début|initial)',
    '^opening balance',
    '^balance at start',
  ].join('|'),
  'u',
)

/** Beginnings of a line of totals. */
const SUM = /^(?:total|summe|gesamt|solde|saldo|balance)(?![\p{L}\d])/u

/** The kind of balance in a line, by its usual names. */
export function usualKind(record: CsvRecord): StatementBalance['kind'] | undefined {
  const key = columnKey(firstText(record))
  if (OPENING.test(key)) return 'opening'
  return CLOSING.test(key) ? 'closing' : undefined
}

/** Whether the line has a total or a balance by its usual names, and may not be a booking. */
export function isLineOfSums(record: CsvRecord): boolean {
  return usualKind(record) !== undefined || SUM.test(columnKey(firstText(record)))
}

/** The record's first cell with text; empty when it has none. */
export function firstText({ cells }: CsvRecord): string {
  return cells.find((cell) => cell !== '') ?? ''
}
