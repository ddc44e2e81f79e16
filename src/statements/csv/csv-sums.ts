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

/** Names of the balance before the first booking, as the only text of a row. */
const OPENING_NAMES: ReadonlySet<string> = new Set([
  ...['anfangssaldo', 'alter saldo', 'alter kontostand', 'opening balance', 'beginsaldo'],
  ...['solde initial', 'saldo inicial', 'saldo iniziale', 'saldo początkowe'],
])

/** Names of the balance after the last booking, as the only text of a row. */
const CLOSING_NAMES: ReadonlySet<string> = new Set([
  ...['endsaldo', 'schlusssaldo', 'neuer saldo', 'neuer kontostand', 'closing balance'],
  ...['eindsaldo', 'solde final', 'saldo final', 'saldo finale', 'saldo końcowe'],
])

/** Beginnings of a line of totals. */
const SUM = /^(?:total|summe|gesamt|solde|saldo|balance)(?![\p{L}\d])/u

/** The kind of balance in a line, by its usual names. */
export function usualKind(record: CsvRecord): StatementBalance['kind'] | undefined {
  const key = columnKey(firstText(record))
  if (OPENING.test(key)) return 'opening'
  return CLOSING.test(key) ? 'closing' : undefined
}

/** The kind of balance whose name is this text; undefined = none, or a longer text. */
export function kindNamed(text: string): StatementBalance['kind'] | undefined {
  const key = columnKey(text).replace(/:$/u, '')
  if (OPENING_NAMES.has(key)) return 'opening'
  return CLOSING_NAMES.has(key) ? 'closing' : undefined
}

/** Whether the line has a total or a balance by its usual names, and may not be a booking. */
export function isLineOfSums(record: CsvRecord): boolean {
  return usualKind(record) !== undefined || SUM.test(columnKey(firstText(record)))
}

/** The record's first cell with text; empty when it has none. */
export function firstText({ cells }: CsvRecord): string {
  return cells.find((cell) => cell !== '') ?? ''
}
