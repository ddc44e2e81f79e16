import type { DayOrder } from '../day-text.js'
import { DAY_EXAMPLE, dayOrderOf } from '../day-text.js'
import type { DecimalMark, MarkNotation } from '../decimal-text.js'
import { DECIMAL_EXAMPLE, decimalMarkOf, readDecimal, splitCurrency } from '../decimal-text.js'
import { StatementError } from '../statement.js'
import type { CsvPlan } from './csv-plan.js'
import { columnsTextOf } from './csv-plan.js'
import { columnKey } from './csv-profile.js'
import type { CsvRecord } from './csv-records.js'
import { isLineOfSums } from './csv-sums.js'

/** The notation of days and amounts in a file. */
export interface CsvNotation extends MarkNotation {
  readonly days: DayOrder
  /** Whether debits, in a column of their own or beside a direction, have a minus. */
  readonly debitsNegative: boolean
}

const DAY_FIELDS = ['bookingDate', 'valueDate'] as const
const AMOUNT_FIELDS = [
  'amount',
  'debit',
  'credit',
  'fee',
  'balanceAfter',
  'paypalFee',
  'paypalNet',
] as const

/** Whether the profile leaves a part of the notation to be inferred from the records. */
export function needsEvidence(plan: CsvPlan): boolean {
  const { days, decimalMark } = plan.profile
  const isWritten = days !== 'inferred' && decimalMark !== 'inferred'
  return !isWritten || plan.at.debit !== undefined || plan.at.direction !== undefined
}

/**
 * The notation of days and amounts: that of the profile, else the one that the records prove.
 * Nothing is guessed: `01/02/2024` and `1.234` alone prove nothing.
 * @param first the first CSV_EVIDENCE_RECORDS_MAX records, or all
 * @throws StatementError when the records prove no notation, or two
 */
export function inferNotation(first: readonly CsvRecord[], plan: CsvPlan): CsvNotation {
  const { profile } = plan
  const records = first.filter((record) => !isLineOfSums(record))
  const days = profile.days === 'inferred' ? inferDays(records, plan) : profile.days
  const written = profile.decimalMark
  const proved = written === 'inferred' ? inferMark(records, plan) : written
  const decimalMark = proved ?? 'point'
  const infer = plan.at.direction === undefined ? inferDebits : inferDirected
  const debitsNegative = infer(records, plan, decimalMark)
  return { days, decimalMark, isMarkOpen: proved === undefined, debitsNegative }
}

interface CsvCell {
  readonly line: number
  readonly column: string
  readonly text: string
}

function* cellsOf(
  records: readonly CsvRecord[],
  plan: CsvPlan,
  fields: readonly (keyof CsvPlan['at'])[],
): Generator<CsvCell> {
  for (const { line, cells } of records) {
    if (cells.length < plan.width) continue
    for (const field of fields) {
      const at = plan.at[field]
      const text = at === undefined ? '' : (cells[at] ?? '')
      if (at !== undefined && text !== '') yield { line, column: plan.header[at] ?? '', text }
    }
  }
}

function inferDays(records: readonly CsvRecord[], plan: CsvPlan): DayOrder {
  let proof: { order: DayOrder; cell: CsvCell } | undefined
  let unclear: CsvCell | undefined
  for (const cell of cellsOf(records, plan, DAY_FIELDS)) {
    const order = dayOrderOf(cell.text)
    if (order === 'ambiguous') unclear ??= cell
    if (order === undefined || order === 'ambiguous') continue
    if (proof !== undefined && proof.order !== order) throw twoWays('dates', proof.cell, cell)
    proof ??= { order, cell }
  }
  if (proof === undefined && unclear !== undefined) {
    const either = `${DAY_EXAMPLE.dmy} or ${DAY_EXAMPLE.mdy}`
    throw undecided(plan, unclear, `could be day first or month first (${either})`, [
      'dateFormat=dmy',
      'dateFormat=mdy',
    ])
  }
  return proof?.order ?? 'ymd'
}

/** @returns undefined when no amount has a mark */
function inferMark(records: readonly CsvRecord[], plan: CsvPlan): DecimalMark | undefined {
  let proof: { mark: DecimalMark; cell: CsvCell } | undefined
  let unclear: CsvCell | undefined
  for (const cell of cellsOf(records, plan, AMOUNT_FIELDS)) {
    const { number } = splitCurrency(cell.text)
    const mark = decimalMarkOf(number)
    if (mark === 'ambiguous') unclear ??= cell
    if (mark === undefined || mark === 'ambiguous') continue
    // `12..34` would be evidence of a comma; a text that is no amount proves nothing.
    if (typeof readDecimal(number, mark) === 'string') continue
    if (proof !== undefined && proof.mark !== mark) throw twoWays('amounts', proof.cell, cell)
    proof ??= { mark, cell }
  }
  if (proof === undefined && unclear !== undefined) {
    const either = `${DECIMAL_EXAMPLE.comma} or ${DECIMAL_EXAMPLE.point}`
    const why = `could have thousands separators or decimals (${either})`
    throw undecided(plan, unclear, why, ['decimalMark=comma', 'decimalMark=point'])
  }
  return proof?.mark
}

function inferDebits(records: readonly CsvRecord[], plan: CsvPlan, mark: DecimalMark): boolean {
  let proof: { negative: boolean; cell: CsvCell } | undefined
  for (const cell of cellsOf(records, plan, ['debit'])) {
    const amount = readDecimal(splitCurrency(cell.text).number, mark)
    if (typeof amount === 'string' || amount.unscaled === 0) continue
    const negative = amount.unscaled < 0
    if (proof !== undefined && proof.negative !== negative) {
      throw twoWays('debits', proof.cell, cell)
    }
    proof ??= { negative, cell }
  }
  return proof?.negative ?? false
}

/** By the first debit: a later one that differs is refused on its own. */
function inferDirected(records: readonly CsvRecord[], plan: CsvPlan, mark: DecimalMark): boolean {
  for (const { cells } of records) {
    const direction = cells[plan.at.direction ?? -1] ?? ''
    if (plan.directions.get(columnKey(direction)) !== 'debit') continue
    const amount = readDecimal(splitCurrency(cells[plan.at.amount ?? -1] ?? '').number, mark)
    if (typeof amount !== 'string' && amount.unscaled !== 0) return amount.unscaled < 0
  }
  return false
}

function twoWays(what: string, one: CsvCell, other: CsvCell): StatementError {
  const { line, column } = other
  const texts = `${JSON.stringify(other.text)} and ${JSON.stringify(one.text)} (line ${one.line})`
  const message = `${texts} are ${what} in two different notations`
  return new StatementError({ position: `line ${line}`, field: column, message })
}

function undecided(
  plan: CsvPlan,
  cell: CsvCell,
  why: string,
  [one, other]: readonly [string, string],
): StatementError {
  const open = `${JSON.stringify(cell.text)} ${why}, and the rest of the file does not decide it`
  const example = `--columns '${columnsTextOf(plan)},${one}'`
  const message = `${open}; specify ${one} or ${other}, for example with ${example}`
  return new StatementError({ position: `line ${cell.line}`, field: cell.column, message })
}
