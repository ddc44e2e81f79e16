import { compactCode, isBic } from '../../iban.js'
import { isMeantAsIban } from '../account-text.js'
import type { DirectionKind } from './csv-direction.js'
import { DIRECTION_WORDS, directionKeys } from './csv-direction.js'
import { balancesChain, signedAmounts } from './csv-guess-balance.js'
import { BOOKED, NAMES, UNBOOKED } from './csv-guess-names.js'
import type { GuessedColumn } from './csv-guess-table.js'
import { columnKey } from './csv-profile.js'

/** Maximum number of different texts in a column of codes. */
export const FEW_MAX = 5

const KNOWN_DIRECTIONS = directionKeys(DIRECTION_WORDS)

const CURRENCIES = new Set(Intl.supportedValuesOf('currency'))

/** Whether a column has amounts and not other numbers: by decimals, sign, currency or name. */
export function isMoney({ amounts, filled, key }: GuessedColumn): boolean {
  if (amounts === undefined) return false
  const isNamed = [NAMES.amount, NAMES.balance, NAMES.debit, NAMES.credit, NAMES.fee].some((name) =>
    name.test(key),
  )
  return isNamed || filled.some((cell) => /[.,]\d{1,2}\D{0,5}$|^[-+−]|[-−]$/u.test(cell))
}

/** The side of a column of debits or credits, by its name, if any. */
export function sideOf({ key }: GuessedColumn): DirectionKind | undefined {
  const isDebit = NAMES.debit.test(key)
  return isDebit === NAMES.credit.test(key) ? undefined : isDebit ? 'debit' : 'credit'
}

/** Whether each row has an amount in only one of the columns; a zero does not count. */
export function isEither(a: GuessedColumn, b: GuessedColumn): boolean {
  const has = ({ amounts }: GuessedColumn, i: number): boolean =>
    (amounts?.[i]?.unscaled ?? 0) !== 0
  const isExclusive = a.cells.every((_, i) => !(has(a, i) && has(b, i)))
  return isExclusive && [a, b].every((column) => column.cells.some((_, i) => has(column, i)))
}

/** Whether signs or balances prove which column holds the debits. */
export function isProven(
  debit: GuessedColumn,
  credit: GuessedColumn,
  balance: GuessedColumn | undefined,
): boolean {
  const isNegative = debit.amounts?.some((amount) => (amount?.unscaled ?? 0) < 0) ?? false
  return isNegative || balancesChain(signedAmounts(credit, undefined, undefined, debit), balance)
}

export function hasMinus(cell: string): boolean {
  return /[-−]/u.test(cell)
}

/** Whether one of the texts is a known word for debit or credit. */
export function hasKnownWord({ filled }: Pick<GuessedColumn, 'filled'>): boolean {
  return filled.some((word) => KNOWN_DIRECTIONS.has(columnKey(word)))
}

export function isOfKnownWords({ filled }: GuessedColumn): boolean {
  return filled.every((word) => KNOWN_DIRECTIONS.has(columnKey(word)))
}

/** Whether it seems to be a direction column: by its words, or by its name and two words. */
export function isDirection(
  { key, filled, cells, amounts }: GuessedColumn,
  hasSigns: boolean,
): boolean {
  if (filled.length < cells.length || amounts !== undefined) return false
  const words = [...new Set(filled.map(columnKey))]
  if (words.length > 2 || words.some((word) => word.length > 20)) return false
  const isNamed = NAMES.direction.test(key)
  if (words.every((word) => KNOWN_DIRECTIONS.has(word))) return isNamed || !hasSigns
  const isShort = filled.every((word) => word.length <= 3 && !isCurrency(word))
  return words.length === 2 && (isNamed || (isShort && !hasSigns))
}

/** Whether the cell is a BIC in capitals: `Alquiler` also has the shape of a BIC. */
export function isWrittenBic(cell: string): boolean {
  return isBic(cell) && cell === cell.toUpperCase()
}

export function hasIban({ filled }: GuessedColumn): boolean {
  return filled.some((cell) => isMeantAsIban(compactCode(cell)))
}

/** Whether all texts mean booked or not booked. */
export function isOfStates({ filled, key }: GuessedColumn): boolean {
  const words = [...new Set(filled.map(columnKey))]
  const isNamed = NAMES.state.test(key)
  const areKnown = words.every((word) => BOOKED.has(word) || UNBOOKED.has(word))
  return areKnown && (isNamed || words.length > 1 || filled.length > 1)
}

/**
 * Whether most rows have one of two to five short texts that recur or are known words for debit or
 * credit, in a column without another known name.
 */
export function isOfFew({ key, filled, cells, amounts, hasDays }: GuessedColumn): boolean {
  if (hasDays || amounts !== undefined || filled.length < cells.length / 2) return false
  const words = [...new Set(filled.map(columnKey))]
  if (words.length < 2 || words.length > FEW_MAX || filled.every(isCurrency)) return false
  if (words.some((word) => word.length > 30)) return false
  if (hasKnownWord({ filled })) return true
  const isOther = [NAMES.purpose, NAMES.name, NAMES.counterpart, NAMES.own].some((name) =>
    name.test(key),
  )
  return !isOther && words.length < filled.length
}

/** Names of columns with the number or the holder of a card, in lower case. */
const CARD_NAME = /karte|card|(?<!\p{L})carte|tarjeta|tarjet/u
/** A payment to a card, as the card's issuer writes it. */
const CARD_PAYMENT =
  /thank you|payment received|autopay|zahlung erhalten|erhalten besten dank|merci|gracias/iu

/**
 * Whether at least as many amounts have no minus as have one, in a table of a card: by the name of
 * a column, or by a payment with a minus.
 */
export function hasChargesOfCard(
  { amounts = [] }: GuessedColumn,
  columns: readonly GuessedColumn[],
): boolean {
  const isDebit = amounts.map((amount) => (amount?.unscaled ?? 0) < 0)
  const debitCount = isDebit.filter((each) => each).length
  if (debitCount * 2 > amounts.length) return false
  return columns.some(
    ({ key, cells }) =>
      CARD_NAME.test(key) || cells.some((cell, i) => isDebit[i] && CARD_PAYMENT.test(cell)),
  )
}

/** Whether the column, by its name, has the kinds of bookings, such as `Überweisung`. */
export function isOfKinds({ key, filled, amounts, hasDays }: GuessedColumn): boolean {
  if (hasDays || amounts !== undefined || !NAMES.kind.test(key)) return false
  return filled.some((word) => KNOWN_DIRECTIONS.get(columnKey(word)) !== 'credit')
}

/** Whether some amounts are in parentheses, or have letters for debit or credit. */
export function isOfMarkedAmounts({ filled, amounts }: GuessedColumn): boolean {
  return (
    amounts === undefined &&
    filled.some(isMarkedAmount) &&
    filled.every((cell) => isMarkedAmount(cell) || /^[-+]?\d[\d.,'’ ]*$/u.test(cell))
  )
}

export function isMarkedAmount(cell: string): boolean {
  if (cell.length > 40) return false
  return /^\([\d.,'’]+\)$|^[-+]?\d[\d.,'’]* ?(?:DR|CR|[SHDCK])\.?$/iu.test(cell)
}

/** Whether nearly all rows have one of two or three words of at most three letters. */
export function isOfCodes({ filled, cells }: GuessedColumn): boolean {
  const words = [...new Set(filled)]
  const areCodes = words.every((word) => word.length <= 3 && /^\p{L}+$/u.test(word))
  const isFilled = filled.length >= cells.length * 0.9
  return isFilled && areCodes && words.length > 1 && words.length <= 3 && !words.every(isCurrency)
}

export function isCurrency(text: string): boolean {
  return CURRENCIES.has(text)
}

/** Whether the cells have words rather than codes or numbers. */
export function isWords({ filled }: GuessedColumn): boolean {
  return filled.some(
    (cell) => /\p{L}{3}/u.test(cell) && !(/^[\dA-Z]+$/u.test(cell) && /\d/u.test(cell)),
  )
}
