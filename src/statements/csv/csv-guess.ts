import { compactCode, isBic } from '../../iban.js'
import { isMeantAsIban } from '../account-text.js'
import { columnsText, writtenText } from './csv-columns.js'
import type { DirectionKind } from './csv-direction.js'
import { DIRECTION_WORDS, directionKeys } from './csv-direction.js'
import { leadsOn, signedAmounts } from './csv-guess-balance.js'
import { BOOKED, NAMES } from './csv-guess-names.js'
import type { GuessedColumn, GuessedTable } from './csv-guess-table.js'
import { columnKey } from './csv-profile.js'

/** A mapping for an unknown table. */
export interface GuessedColumns {
  /** Right side of `--columns`, as far as the columns could be placed. */
  readonly columnsText: string
  /** Sentences about columns that could not be placed; empty = the mapping is whole. */
  readonly doubts: readonly string[]
}

const KNOWN_DIRECTIONS = directionKeys(DIRECTION_WORDS)

const CURRENCIES = new Set(Intl.supportedValuesOf('currency'))

/** Chooses a column for each field that the first rows decide; a doubt is said, never decided. */
export function guessColumns({ columns }: GuessedTable): GuessedColumns {
  const guess = new Guess(columns)
  guess.placeDays()
  guess.placeMoney()
  guess.placeCurrency()
  guess.placeParties()
  guess.placeTexts()
  guess.placeState()
  return { columnsText: columnsText(guess.sides), doubts: guess.doubts }
}

class Guess {
  readonly sides: [field: string, column: string][] = []
  readonly doubts: string[] = []
  readonly #used = new Set<GuessedColumn>()

  constructor(private readonly columns: readonly GuessedColumn[]) {}

  #free(): GuessedColumn[] {
    return this.columns.filter((column) => !this.#used.has(column) && column.filled.length > 0)
  }

  #place(field: string, columns: readonly GuessedColumn[], texts = ''): void {
    if (columns.length === 0) return
    for (const column of columns) this.#used.add(column)
    this.sides.push([field, columns.map(({ written }) => written).join('+') + texts])
  }

  placeDays(): void {
    const days = this.#free().filter(({ hasDays }) => hasDays)
    const most = Math.max(0, ...days.map(({ filled }) => filled.length))
    const full = days.filter(({ filled }) => filled.length === most)
    const booking =
      full.find(({ key }) => NAMES.booking.test(key) && !NAMES.value.test(key)) ??
      full.find(({ key }) => NAMES.day.test(key) && !NAMES.value.test(key)) ??
      full.find(({ key }) => !NAMES.value.test(key)) ??
      full[0]
    if (booking === undefined) return
    this.#place('bookingDate', [booking])
    const others = days.filter((day) => day !== booking)
    const value = others.find(({ key }) => NAMES.value.test(key))
    if (value !== undefined) this.#place('valueDate', [value])
    for (const day of others) this.#used.add(day)
  }

  placeMoney(): void {
    const money = this.#free().filter(isMoney)
    const balances = money.filter(({ key }) => NAMES.balance.test(key))
    const fees = money.filter(
      ({ key }) => NAMES.fee.test(key) && !balances.some((b) => b.key === key),
    )
    const rest = money.filter(
      (column) =>
        !balances.includes(column) && !fees.includes(column) && !NAMES.foreign.test(column.key),
    )
    for (const column of money) if (!rest.includes(column)) this.#used.add(column)
    const balance = balances[0]
    const isPlaced = this.#placePair(rest, balance) || this.#placeAmount(rest, balance)
    if (!isPlaced) return
    if (balance !== undefined) this.#place('balanceAfter', [balance])
    const fee = fees.find(({ amounts }) => amounts?.some((amount) => amount?.unscaled))
    if (fee !== undefined && !this.#placeFee(fee, balance)) {
      this.doubts.push(
        `it is not clear whether the fees in column ${fee.written} are in the amounts already; ` +
          `map fee=${fee.written} if they are not`,
      )
    }
  }

  /** Two columns of which each row has one. @returns whether it is decided, in doubt too */
  #placePair(money: readonly GuessedColumn[], balance: GuessedColumn | undefined): boolean {
    const isSide = (column: GuessedColumn): boolean =>
      money.includes(column) || column.filled.length === 0
    const debit = this.columns.find((column) => isSide(column) && sideOf(column) === 'debit')
    const credit = this.columns.find((column) => isSide(column) && sideOf(column) === 'credit')
    const isFilled = [debit, credit].some(
      (column) => column !== undefined && money.includes(column),
    )
    if (debit !== undefined && credit !== undefined && isFilled) {
      this.#place('debit', [debit])
      this.#place('credit', [credit])
      return true
    }
    const pairs = money.flatMap((a, i) => money.slice(i + 1).map((b) => [a, b] as const))
    const pair = pairs.find(([a, b]) => isEither(a, b))
    if (pair === undefined) return false
    const [a, b] = pair
    const ways = [
      { debit: a, credit: b },
      { debit: b, credit: a },
    ]
    const right = ways.filter(({ debit, credit }) => isProven(debit, credit, balance))
    const [way] = right
    if (way === undefined || right.length === 2) {
      const one = `debit=${b.written},credit=${a.written}`
      const other = `debit=${a.written},credit=${b.written}`
      this.doubts.push(
        `columns ${a.written} and ${b.written} hold one amount a row; say which are debits: ` +
          `${one} or ${other}`,
      )
      return true
    }
    this.#place('debit', [way.debit])
    this.#place('credit', [way.credit])
    return true
  }

  #placeAmount(money: readonly GuessedColumn[], named: GuessedColumn | undefined): boolean {
    const side = money.filter((column) => sideOf(column) !== undefined)
    const [only] = side
    const isSigned = side.length === 1 && only !== undefined && only.filled.some(hasMinus)
    const candidates = isSigned ? money : money.filter((column) => !side.includes(column))
    const led = candidates.flatMap((amount) =>
      [named, ...candidates].flatMap((balance) =>
        balance !== undefined && balance !== amount && leadsOn(amount.amounts ?? [], balance)
          ? [{ amount, balance }]
          : [],
      ),
    )
    const byName = candidates.filter(({ key }) => NAMES.amount.test(key))
    const chosen =
      led.length === 1
        ? led[0]?.amount
        : byName.length > 0
          ? byName[0]
          : candidates.length === 1
            ? candidates[0]
            : undefined
    if (chosen === undefined) {
      const columns = [...candidates, ...side].map(({ written }) => written)
      const found =
        columns.length === 0
          ? 'no column holds amounts'
          : `columns ${columns.join(', ')} hold amounts`
      this.doubts.push(`${found}; say which is the amount, or which are debit and credit`)
      return false
    }
    const at = this.columns.indexOf(chosen)
    const empty = [at - 1, at + 1].map((i) => this.columns[i]).find((c) => c?.filled.length === 0)
    if (chosen.key === '' && empty !== undefined && !chosen.filled.some(hasMinus)) {
      this.doubts.push(
        `column ${chosen.written} may hold the debits or the credits, and ${empty.written}, ` +
          `which is empty in the first rows, the others: say which with debit= and credit=`,
      )
      return false
    }
    this.#placeDirected(chosen, led.find(({ amount }) => amount === chosen)?.balance ?? named)
    const balance = led.find(({ amount }) => amount === chosen)?.balance
    if (named === undefined && balance !== undefined) this.#place('balanceAfter', [balance])
    return true
  }

  /** The amount, and the column beside it that says debit or credit. */
  #placeDirected(amount: GuessedColumn, balance: GuessedColumn | undefined): void {
    const hasSigns = amount.filled.some(hasMinus)
    const possible = this.#free().filter((column) => isDirection(column, hasSigns))
    const direction = possible.find(isOfKnownWords) ?? possible[0]
    if (direction === undefined) {
      if (hasSigns || !this.#doubtCodes()) this.#place('amount', [amount])
      return
    }
    const words = [...new Set(direction.filled.map(columnKey))]
    if (isOfKnownWords(direction)) {
      this.#place('amount', [amount])
      this.#place('direction', [direction])
      return
    }
    const [a = '', b = ''] = [...new Set(direction.filled)].map(writtenText)
    const ways = [`:${a}|${b}`, `:${b}|${a}`]
    const right = [a, b].filter((debit) =>
      leadsOn(signedAmounts(amount, direction, debit), balance),
    )
    const proven = right.length === 1 ? ways[[a, b].indexOf(right[0] ?? '')] : undefined
    if (hasSigns && proven === undefined) {
      this.#place('amount', [amount])
      this.#used.add(direction)
      return
    }
    if (proven === undefined || words.length !== 2) {
      const either = ways.map((way) => `direction=${direction.written}${way}`).join(' or ')
      const found = words.map((word) => JSON.stringify(word)).join(', ')
      this.doubts.push(
        `column ${direction.written} seems to say debit or credit (${found}), in words that are ` +
          `not known; say which is the debit: amount=${amount.written},${either}`,
      )
      this.#used.add(amount)
      this.#used.add(direction)
      return
    }
    this.#place('amount', [amount])
    this.#place('direction', [direction], proven)
  }

  /** Beside amounts without a sign, a column of codes may say debit or credit. @returns whether */
  #doubtCodes(): boolean {
    const codes = this.#free().find(isOfCodes)
    if (codes === undefined) return false
    const found = [...new Set(codes.filled)]
    this.doubts.push(
      `no amount has a minus, and column ${codes.written} may say debit or credit ` +
        `(${found.map((word) => JSON.stringify(word)).join(', ')}); if it does, map it with the ` +
        `bank's words, debit first, such as ` +
        `direction=${codes.written}:${found.slice(0, 2).join('|')}`,
    )
    return true
  }

  /** @returns whether the balances prove how fee and amount go together */
  #placeFee(fee: GuessedColumn, balance: GuessedColumn | undefined): boolean {
    const written = this.sides.find(([field]) => field === 'amount')?.[1]
    const amount = this.columns.find((column) => column.written === written)
    if (amount?.amounts === undefined) return false
    const isInAmount = leadsOn(amount.amounts, balance)
    const isBeside = leadsOn(signedAmounts(amount, undefined, undefined, fee), balance)
    // Both fit where no row between two balances has a fee.
    if (isInAmount === isBeside) return false
    if (isBeside) this.#place('fee', [fee])
    return true
  }

  placeCurrency(): void {
    const currencies = this.#free().filter(({ filled }) => filled.every(isCurrency))
    const named = currencies.filter(({ key }) => NAMES.currency.test(key))
    const own = (named.length > 0 ? named : currencies).filter(
      ({ key }) => !NAMES.foreign.test(key),
    )
    if (own[0] !== undefined) this.#place('currency', [own[0]])
    for (const column of currencies) this.#used.add(column)
  }

  placeParties(): void {
    const ibans = this.#free().filter(({ filled }) =>
      filled.every((cell) => isMeantAsIban(compactCode(cell))),
    )
    const other = ibans.find(({ key }) => NAMES.counterpart.test(key))
    const own = ibans.find(
      (column) =>
        column !== other &&
        new Set(column.cells).size === 1 &&
        (column.cells.length > 1 || other !== undefined || ibans.length > 1),
    )
    if (own !== undefined) this.#place('accountIban', [own])
    const left = other ?? ibans.find((column) => column !== own)
    if (left !== undefined) this.#place('counterpartIban', [left])
    const bics = this.#free().filter(({ filled }) => filled.every((cell) => isBic(cell)))
    const bic = bics.find(({ key }) => NAMES.counterpart.test(key))
    if (bic !== undefined) this.#place('counterpartBic', [bic])
    for (const column of [...ibans, ...bics]) this.#used.add(column)
  }

  placeTexts(): void {
    const byName = (field: string, pattern: RegExp): void => {
      const column = this.#free().find(({ key }) => pattern.test(key))
      if (column !== undefined) this.#place(field, [column])
    }
    byName('endToEndReference', NAMES.endToEnd)
    byName('mandateReference', NAMES.mandate)
    byName('creditorId', NAMES.creditor)
    byName('type', NAMES.type)
    const purpose = this.#free().filter(
      (column) => NAMES.purpose.test(column.key) && isWords(column) && !NAMES.own.test(column.key),
    )
    const name = this.#free().find(
      (column) =>
        NAMES.name.test(column.key) &&
        !NAMES.own.test(column.key) &&
        !(purpose.includes(column) && purpose.length === 1) &&
        isWords(column),
    )
    if (name !== undefined) this.#place('counterpartName', [name])
    const texts = purpose.filter((column) => column !== name)
    const others = this.#free().filter((column) => isWords(column) && !hasIban(column))
    this.#place('purpose', texts.length > 0 ? texts : others.sort(byLength).slice(0, 1))
  }

  placeState(): void {
    const state = this.#free().find(({ key }) => NAMES.state.test(key))
    const booked = [...new Set(state?.filled)].filter((text) => BOOKED.has(columnKey(text)))
    if (state === undefined || booked.length === 0) return
    this.#place('booked', [state], `:${booked.map(writtenText).join('|')}`)
  }
}

/** Amounts, and no numbers of another kind: with decimals, a sign, a currency or such a name. */
function isMoney({ amounts, filled, key }: GuessedColumn): boolean {
  if (amounts === undefined) return false
  const isNamed = [NAMES.amount, NAMES.balance, NAMES.debit, NAMES.credit, NAMES.fee].some((name) =>
    name.test(key),
  )
  return isNamed || filled.some((cell) => /[.,]\d{1,2}\D{0,5}$|^[-+−]|[-−]$/u.test(cell))
}

/** Which of two columns for amounts it is by its name, if any. */
function sideOf({ key }: GuessedColumn): DirectionKind | undefined {
  const isDebit = NAMES.debit.test(key)
  return isDebit === NAMES.credit.test(key) ? undefined : isDebit ? 'debit' : 'credit'
}

/** Whether each row has an amount in one of the columns only; a zero counts as none. */
function isEither(a: GuessedColumn, b: GuessedColumn): boolean {
  const has = ({ amounts }: GuessedColumn, i: number): boolean =>
    (amounts?.[i]?.unscaled ?? 0) !== 0
  const isExclusive = a.cells.every((_, i) => !(has(a, i) && has(b, i)))
  return isExclusive && [a, b].every((column) => column.cells.some((_, i) => has(column, i)))
}

/** Whether signs or balances prove which column holds the debits. */
function isProven(
  debit: GuessedColumn,
  credit: GuessedColumn,
  balance: GuessedColumn | undefined,
): boolean {
  const isNegative = debit.amounts?.some((amount) => (amount?.unscaled ?? 0) < 0) ?? false
  return isNegative || leadsOn(signedAmounts(credit, undefined, undefined, debit), balance)
}

function hasMinus(cell: string): boolean {
  return /[-−]/u.test(cell)
}

function isOfKnownWords({ filled }: GuessedColumn): boolean {
  return filled.every((word) => KNOWN_DIRECTIONS.has(columnKey(word)))
}

/** Whether the column seems to say debit or credit: by its words, or by its name and two words. */
function isDirection({ key, filled, cells, amounts }: GuessedColumn, hasSigns: boolean): boolean {
  if (filled.length < cells.length || amounts !== undefined) return false
  const words = [...new Set(filled.map(columnKey))]
  if (words.length > 2 || words.some((word) => word.length > 20)) return false
  const isNamed = NAMES.direction.test(key)
  if (words.every((word) => KNOWN_DIRECTIONS.has(word))) return isNamed || !hasSigns
  const isShort = filled.every((word) => word.length <= 3 && !isCurrency(word))
  return words.length === 2 && (isNamed || (isShort && !hasSigns))
}

function hasIban({ filled }: GuessedColumn): boolean {
  return filled.some((cell) => isMeantAsIban(compactCode(cell)))
}

/** Whether nearly all rows have one of two or three words of at most three letters. */
function isOfCodes({ filled, cells }: GuessedColumn): boolean {
  const words = [...new Set(filled)]
  const areCodes = words.every((word) => word.length <= 3 && /^\p{L}+$/u.test(word))
  const isFilled = filled.length >= cells.length * 0.9
  return isFilled && areCodes && words.length > 1 && words.length <= 3 && !words.every(isCurrency)
}

function isCurrency(text: string): boolean {
  return CURRENCIES.has(text)
}

/** Whether the cells have words, and are no codes or numbers. */
function isWords({ filled }: GuessedColumn): boolean {
  return filled.some(
    (cell) => /\p{L}{3}/u.test(cell) && !(/^[\dA-Z]+$/u.test(cell) && /\d/u.test(cell)),
  )
}

function byLength(a: GuessedColumn, b: GuessedColumn): number {
  const length = ({ filled }: GuessedColumn): number => filled.join('').length
  return length(b) - length(a)
}
