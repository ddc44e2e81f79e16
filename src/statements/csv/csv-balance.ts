import type { EpochMs } from '../../instant.js'
import type { Amount } from '../../money.js'
import { dayOrderOf, readDay } from '../day-text.js'
import { readProvedDecimal, splitCurrency } from '../decimal-text.js'
import type { StatementBalance } from '../statement.js'
import type { CsvNotation } from './csv-notation.js'
import type { BalanceLine } from './csv-profile.js'
import { columnKey } from './csv-profile.js'
import type { CsvRecord } from './csv-records.js'
import { firstText, usualKind } from './csv-sums.js'

/** A balance in a line around the table; its currency may be elsewhere in the file. */
export type WrittenBalance = Omit<StatementBalance, 'currency'> & {
  readonly currency: string | undefined
}

/** The kind of balance in a line before the table; undefined = none. */
export function kindBefore(
  record: CsvRecord,
  lines: readonly BalanceLine[] | undefined,
): StatementBalance['kind'] | undefined {
  return lines === undefined ? usualKind(record) : kindAmong(record, lines)
}

/** The kind of balance in a line around the table, by the names of the profile. */
export function kindAmong(
  record: CsvRecord,
  lines: readonly BalanceLine[] = [],
): StatementBalance['kind'] | undefined {
  const key = lines.length === 0 ? '' : columnKey(firstText(record))
  return lines.find(({ begins }) => key.startsWith(columnKey(begins)))?.kind
}

/**
 * The balance in a line such as `Kontostand vom 31.01.2024:;1.234,56 EUR` or `Saldo;5,00;EUR`: the
 * first amount after the name, the first day, the first currency.
 * @returns undefined when the line has no amount
 */
export function balanceIn(
  record: CsvRecord,
  kind: StatementBalance['kind'],
  notation: CsvNotation,
): WrittenBalance | undefined {
  const [name = '', ...cells] = record.cells.filter((cell) => cell !== '')
  const texts = [name.slice(name.lastIndexOf(':') + 1).trim(), ...cells]
  let amount: Amount | undefined
  let currency: string | undefined
  for (const text of texts) {
    const split = splitCurrency(text)
    if (split.number === '') currency ??= split.currency
    if (amount !== undefined || dayOrderOf(text) !== undefined) continue
    const found = split.number === '' ? '' : readProvedDecimal(split.number, notation)
    if (typeof found === 'string') continue
    amount = found
    currency ??= split.currency
  }
  if (amount === undefined) return undefined
  const at = dayIn([name, ...cells], notation)
  const isCode = currency !== undefined && /^[A-Z]{3}$/u.test(currency)
  return {
    kind,
    amount,
    currency: isCode ? currency : undefined,
    ...(at === undefined ? {} : { at }),
  }
}

function dayIn(texts: readonly string[], notation: CsvNotation): EpochMs | undefined {
  for (const text of texts) {
    const written = /\d{1,4}([./-])\d{1,2}\1\d{1,4}/u.exec(text)?.[0] ?? ''
    const day = readDay(written, notation.days)
    if (day !== undefined) return day
  }
  return undefined
}
