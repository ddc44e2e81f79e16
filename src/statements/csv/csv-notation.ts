import { type DayOrder, dayOrderOf } from '../day-text.js'
import { type DecimalMark, type MarkNotation, readDecimal, splitCurrency } from '../decimal-text.js'
import { evidenceOf, inferMark, inferOrder, type NotationText } from '../inferred-notation.js'
import type { CsvPlan } from './csv-plan.js'
import { columnsTextOf } from './csv-plan.js'
import { columnKey } from './csv-profile.js'
import type { CsvRecord } from './csv-records.js'
import { isLineOfSums } from './csv-sums.js'

/** The notation of days and amounts in a file. */
export interface CsvNotation extends MarkNotation {
  readonly days: DayOrder
  /** Whether debits, in a column of their own or with a direction, have a minus. */
  readonly debitsNegative: boolean
}

const DAY_FIELDS = ['bookingDate', 'valueDate'] as const
const AMOUNT_FIELDS = [
  'amount',
  'charge',
  'debit',
  'credit',
  'fee',
  'balanceAfter',
  'paypalFee',
  'paypalNet',
] as const

/** Whether a part of the notation has to be inferred from the records. */
export function needsEvidence(plan: CsvPlan): boolean {
  const { days, decimalMark } = plan.profile
  const isWritten = days !== 'inferred' && decimalMark !== 'inferred'
  return !isWritten || plan.at.debit !== undefined || plan.at.direction !== undefined
}

/**
 * The notation of days and amounts: that of the profile, else the one that the records prove.
 * @param first the first CSV_EVIDENCE_RECORDS_MAX records, or all
 * @throws StatementError when the records prove no notation, or two
 */
export function inferNotation(first: readonly CsvRecord[], plan: CsvPlan): CsvNotation {
  const { profile } = plan
  const records = first.filter((record) => !isLineOfSums(record))
  const advise = adviceFor(plan)
  const days =
    profile.days === 'inferred'
      ? (inferOrder(textsOf(records, plan, DAY_FIELDS), dayOrderOf, advise) ?? 'ymd')
      : profile.days
  const proved =
    profile.decimalMark === 'inferred'
      ? inferMark(textsOf(records, plan, AMOUNT_FIELDS), numberOf, advise)
      : profile.decimalMark
  const decimalMark = proved ?? 'point'
  const infer = plan.at.direction === undefined ? inferDebits : inferDirected
  const debitsNegative = infer(records, plan, decimalMark)
  return { days, decimalMark, isMarkOpen: proved === undefined, debitsNegative }
}

function* textsOf(
  records: readonly CsvRecord[],
  plan: CsvPlan,
  fields: readonly (keyof CsvPlan['at'])[],
): Generator<NotationText> {
  for (const { line, cells } of records) {
    if (cells.length < plan.width) continue
    for (const field of fields) {
      const at = plan.at[field]
      const text = at === undefined ? '' : (cells[at] ?? '')
      if (at !== undefined && text !== '') yield { line, field: plan.header[at] ?? '', text }
    }
  }
}

function inferDebits(records: readonly CsvRecord[], plan: CsvPlan, mark: DecimalMark): boolean {
  const { proved } = evidenceOf(textsOf(records, plan, ['debit']), 'debits', (text) => {
    const amount = readDecimal(numberOf(text), mark)
    return typeof amount === 'string' || amount.unscaled === 0 ? undefined : amount.unscaled < 0
  })
  return proved ?? false
}

/** The sign of the first debit decides: a later one that differs is refused on its own. */
function inferDirected(records: readonly CsvRecord[], plan: CsvPlan, mark: DecimalMark): boolean {
  for (const { cells } of records) {
    const direction = cells[plan.at.direction ?? -1] ?? ''
    if (plan.directions.get(columnKey(direction)) !== 'debit') continue
    const amount = readDecimal(numberOf(cells[plan.at.amount ?? -1] ?? ''), mark)
    if (typeof amount !== 'string' && amount.unscaled !== 0) return amount.unscaled < 0
  }
  return false
}

function numberOf(text: string): string {
  return splitCurrency(text).number
}

function adviceFor(plan: CsvPlan): (one: string, other: string) => string {
  return (one, other) => {
    const example = `--columns '${columnsTextOf(plan)},${one}'`
    return `specify ${one} or ${other}, for example with ${example}`
  }
}
