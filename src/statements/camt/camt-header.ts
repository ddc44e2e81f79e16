import type { EpochMs } from '../../instant.js'
import { formatAmount } from '../../money.js'
import type { EntrySource, StatementAccount, StatementBalance } from '../statement.js'
import { cleanText } from '../text-field.js'
import { textAt, type XmlElement } from './camt-cut.js'
import { dayOfText } from './camt-fields.js'

/** Header fields of a statement, before its account; absent = not in the file. */
export interface HeaderFields {
  /** `Id`. */
  id?: string
  /** `ElctrncSeqNb`. */
  sequence?: string
  /** `PgNb`, of a statement in several pages. */
  page?: string
  /** `FrToDt`, as written. */
  period?: string
  /** The day on which the period of the statement ends. */
  endsAt?: EpochMs
  /** The day on which the bank created the statement, or the message. */
  madeAt?: EpochMs
}

/** The elements of a header: direct children of a statement, before its account. */
export const HEADER_ELEMENTS: readonly string[] = [
  'Id',
  'ElctrncSeqNb',
  'StmtPgntn',
  'RptPgntn',
  'CreDtTm',
  'FrToDt',
]

/** Adds one element of a header; the last of several with one name counts. */
export function takeHeaderElement(header: HeaderFields, element: XmlElement): void {
  const set = (key: 'id' | 'sequence' | 'page' | 'period', text: string | undefined): void => {
    const clean = cleanText(text)
    if (clean !== undefined) header[key] = clean
  }
  switch (element.name) {
    case 'Id':
      set('id', element.text)
      break
    case 'ElctrncSeqNb':
      set('sequence', element.text)
      break
    case 'StmtPgntn':
    case 'RptPgntn':
      set('page', textAt(element, 'PgNb'))
      break
    case 'CreDtTm':
      setDay(header, 'madeAt', element.text)
      break
    case 'FrToDt':
      set('period', element.children.map(({ text }) => text).join(' '))
      setDay(header, 'endsAt', textAt(element, 'ToDtTm') ?? textAt(element, 'ToDt') ?? '')
      break
  }
}

function setDay(header: HeaderFields, key: 'endsAt' | 'madeAt', text: string): void {
  const day = dayOfText(text.trim())
  if (day !== undefined) header[key] = day
}

/**
 * The key of a statement: equal for two of one file exactly when one repeats the other. Number,
 * page, period and all balances belong to it, because banks reuse a number for another page or
 * account. Reports of one account and page with one opening balance repeat each other, whatever
 * their numbers: a later one has the entries of an earlier one and more.
 * @returns undefined for a statement without an opening balance or without any number: similar
 *   entries are then all counted; a report or notification only needs an `Id`
 */
export function camtStatementKey(
  account: StatementAccount,
  header: HeaderFields,
  balances: readonly StatementBalance[],
  source: EntrySource,
): string | undefined {
  const { id, sequence, page, period } = header
  const openings = balances.filter(({ kind }) => kind === 'opening')
  const isOpened = openings.length > 0
  const name = account.iban ?? account.accountNumber
  const keyOf = (parts: readonly unknown[]): string =>
    JSON.stringify([name, page, ...parts].map((each) => each ?? null))
  if (source === 'report' && isOpened) return keyOf(sumsOf(openings))
  const isNumbered = id !== undefined || (sequence !== undefined && isOpened)
  if (!isNumbered || (source === 'statement' && !isOpened)) return undefined
  return keyOf([id, sequence, period, sumsOf(balances)])
}

function sumsOf(balances: readonly StatementBalance[]): unknown[] {
  return balances.map(({ kind, amount, currency, at }) => {
    return [kind, formatAmount(amount.unscaled, amount.scale), currency, at ?? null]
  })
}
