import { compactCode } from '../../iban.js'
import type { Amount } from '../../money.js'
import { negateAmount } from '../../money.js'
import { isMeantAsIban } from '../account-text.js'
import { columnsText, writtenText } from './csv-columns.js'
import { balancesChain, chainsWithFilter, contradicts, signedAmounts } from './csv-guess-balance.js'
import {
  FEW_MAX,
  hasChargesOfCard,
  hasIban,
  hasKnownWord,
  hasMinus,
  isCurrency,
  isDirection,
  isEither,
  isMarkedAmount,
  isMoney,
  isOfCodes,
  isOfFew,
  isOfKinds,
  isOfKnownWords,
  isOfMarkedAmounts,
  isOfStates,
  isProven,
  isWords,
  isWrittenBic,
  sideOf,
} from './csv-guess-kinds.js'
import { BOOKED, NAMES, UNBOOKED } from './csv-guess-names.js'
import type { GuessedColumn, GuessedTable } from './csv-guess-table.js'
import { possibleDirectionText } from './csv-guess-texts.js'
import { columnKey } from './csv-profile.js'

/** A mapping for an unknown table. */
export interface GuessedColumns {
  /** Right side of `--columns`, as far as the columns could be placed. */
  readonly columnsText: string
  /** Sentences about columns that could not be placed; empty = the mapping is complete. */
  readonly ambiguities: readonly string[]
  /** The columns with text that fit no field, in the order of the file. */
  readonly unplaced: readonly string[]
}

/**
 * Chooses a column for each field that the first rows decide; an ambiguity is reported, never
 * resolved.
 * @param hasAccount whether the caller names the own account, which no column may override
 */
export function guessColumns({ columns }: GuessedTable, hasAccount: boolean): GuessedColumns {
  const guess = new Guess(columns)
  guess.placeDays()
  const state = guess.takeState()
  guess.placeMoney()
  guess.placeCurrency()
  guess.placeParties(hasAccount)
  guess.placeTexts()
  if (state !== undefined) guess.placeState(state)
  const { sides, ambiguities, unplaced } = guess
  return { columnsText: columnsText(sides), ambiguities, unplaced }
}

/** The first two columns of which each row has one. */
function pairOf(money: readonly GuessedColumn[]): [GuessedColumn, GuessedColumn] | undefined {
  for (const [i, a] of money.entries()) {
    for (const b of money.slice(i + 1)) if (isEither(a, b)) return [a, b]
  }
  return undefined
}

class Guess {
  readonly sides: [field: string, column: string][] = []
  readonly ambiguities: string[] = []
  readonly #used = new Set<GuessedColumn>()
  readonly #placed = new Set<GuessedColumn>()

  constructor(private readonly columns: readonly GuessedColumn[]) {}

  get unplaced(): string[] {
    const left = this.columns.filter((c) => !this.#placed.has(c) && c.filled.length > 0)
    return left.map(({ written }) => written)
  }

  #free(): GuessedColumn[] {
    return this.columns.filter((column) => !this.#used.has(column) && column.filled.length > 0)
  }

  #place(field: string, columns: readonly GuessedColumn[], texts = ''): void {
    if (columns.length === 0) return
    for (const column of columns) {
      this.#used.add(column)
      this.#placed.add(column)
    }
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
    if (balance !== undefined) this.#placeBalance(balance)
    const fee = fees.find(({ amounts }) => amounts?.some((amount) => amount?.unscaled))
    if (fee !== undefined && !this.#placeFee(fee, balance)) {
      this.ambiguities.push(
        `it is not clear whether the fees in column ${fee.written} are in the amounts already; ` +
          `map fee=${fee.written} if they are not`,
      )
    }
  }

  /** Places two columns of which each row has one. @returns whether such a pair exists */
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
    const pair = pairOf(money)
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
      this.ambiguities.push(
        `columns ${a.written} and ${b.written} have one amount a row; specify which are debits: ` +
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
    const chained = candidates.flatMap((amount) =>
      [named, ...candidates].flatMap((balance) =>
        balance !== undefined && balance !== amount && balancesChain(amount.amounts ?? [], balance)
          ? [{ amount, balance }]
          : [],
      ),
    )
    const byName = candidates.filter(({ key }) => NAMES.amount.test(key))
    const chosen =
      chained.length === 1
        ? chained[0]?.amount
        : byName.length > 0
          ? byName[0]
          : candidates.length === 1
            ? candidates[0]
            : undefined
    if (chosen === undefined) {
      const columns = [...candidates, ...side].map(({ written }) => written)
      const marked = this.#free().find(isOfMarkedAmounts)
      const found =
        columns.length > 0
          ? `columns ${columns.join(', ')} have amounts`
          : marked === undefined
            ? 'no column has amounts'
            : `column ${marked.written} has amounts whose sign is in parentheses or letters ` +
              `(${JSON.stringify(marked.filled.find(isMarkedAmount))}), which is not read; write ` +
              'each debit with a minus, such as -12.50, or export the file in another format'
      this.ambiguities.push(`${found}; specify which is the amount, or which are debit and credit`)
      return false
    }
    const at = this.columns.indexOf(chosen)
    const empty = [at - 1, at + 1].map((i) => this.columns[i]).find((c) => c?.filled.length === 0)
    if (chosen.key === '' && empty !== undefined && !chosen.filled.some(hasMinus)) {
      this.ambiguities.push(
        `one of the columns ${chosen.written} and ${empty.written} (empty in the first rows) may ` +
          'have the debits, and the other the credits; specify which with debit= and credit=',
      )
      return false
    }
    this.#placeDirected(chosen, chained.find(({ amount }) => amount === chosen)?.balance ?? named)
    const balance = chained.find(({ amount }) => amount === chosen)?.balance
    if (named === undefined && balance !== undefined) this.#placeBalance(balance)
    return true
  }

  /** Places the balance, unless its decimal mark differs: a mapping has one. */
  #placeBalance(balance: GuessedColumn): void {
    const [money] = ['amount', 'debit', 'credit'].flatMap((field) => this.#columnOf(field) ?? [])
    if (money === undefined || money.mark === balance.mark) this.#place('balanceAfter', [balance])
  }

  /** Places the amount, and its direction column. */
  #placeDirected(amount: GuessedColumn, balance: GuessedColumn | undefined): void {
    const hasSigns = amount.filled.some(hasMinus)
    const possible = this.#free().filter((column) => isDirection(column, hasSigns))
    const direction = possible.find(isOfKnownWords) ?? possible[0]
    if (direction === undefined) {
      const isProven = balancesChain(amount.amounts ?? [], balance)
      const isAmbiguous =
        !isProven &&
        (this.#reportsWrongSigns(amount, balance) ||
          this.#reportsPossibleDirection(amount) ||
          this.#reportsCharges(amount))
      this.#used.add(amount)
      if (!isAmbiguous) this.#place('amount', [amount])
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
      balancesChain(signedAmounts(amount, direction, debit), balance),
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
      this.ambiguities.push(
        `column ${direction.written} seems to have debit or credit (${found}), in unknown words; ` +
          `specify which is the debit: amount=${amount.written},${either}`,
      )
      this.#used.add(amount)
      this.#used.add(direction)
      return
    }
    this.#place('amount', [amount])
    this.#place('direction', [direction], proven)
  }

  /** Reports a contradiction between balances and amounts. @returns whether there is one */
  #reportsWrongSigns(amount: GuessedColumn, balance: GuessedColumn | undefined): boolean {
    if (balance === undefined || !contradicts(amount, balance)) return false
    const codes = this.#free().filter(isOfFew)
    const names = codes.map(({ written }) => written).join(' or ')
    const hint =
      names === '' ? '' : `if column ${names} has debit or credit, map direction=; otherwise `
    this.ambiguities.push(
      `the balances in column ${balance.written} contradict the amounts in column ` +
        `${amount.written}, some of which must be debits and have no minus, or have the wrong ` +
        `sign; ${hint}${this.#chargeText(amount, balance)}export the file with signs, or in ` +
        'another format',
    )
    return true
  }

  /** The remedy for balances that fall by each amount, as those of some cards; else nothing. */
  #chargeText({ amounts = [], written }: GuessedColumn, balance: GuessedColumn): string {
    const negated = amounts.map((amount) => amount && negateAmount(amount))
    if (!balancesChain(negated, balance)) return ''
    return `if all amounts without a minus are debits, map charge=${written}; otherwise `
  }

  /** Reports a column that may be the direction of amounts without a sign. @returns whether */
  #reportsPossibleDirection(amount: GuessedColumn): boolean {
    if (amount.filled.some(hasMinus)) return false
    const few = this.#free().filter((column) => isOfCodes(column) || isOfFew(column))
    const codes = few.find(hasKnownWord) ?? few[0] ?? this.#free().find(isOfKinds)
    if (codes === undefined) return false
    if (isOfCodes(codes) || hasKnownWord(codes)) this.#used.add(codes)
    this.ambiguities.push(possibleDirectionText(amount, codes))
    return true
  }

  /** Reports amounts of a card, most of which have no minus. @returns whether there are such */
  #reportsCharges(amount: GuessedColumn): boolean {
    if (!hasChargesOfCard(amount, this.columns)) return false
    this.ambiguities.push(
      `column ${amount.written} may have the charges of a card, without a minus, and its ` +
        `payments, with one; if it does, map charge=${amount.written}; if debits have a minus, ` +
        `map amount=${amount.written}`,
    )
    return true
  }

  /** Places the fee. @returns whether the balances prove if the amount includes it */
  #placeFee(fee: GuessedColumn, balance: GuessedColumn | undefined): boolean {
    const written = this.sides.find(([field]) => field === 'amount')?.[1]
    const amount = this.columns.find((column) => column.written === written)
    if (amount?.amounts === undefined) return false
    const isInAmount = balancesChain(amount.amounts, balance)
    const isSeparate = balancesChain(signedAmounts(amount, undefined, undefined, fee), balance)
    // Both hold if no row between two balances has a fee.
    if (isInAmount === isSeparate) return false
    if (isSeparate) this.#place('fee', [fee])
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

  placeParties(hasAccount: boolean): void {
    const ibans = this.#free().filter(({ filled }) =>
      filled.every((cell) => isMeantAsIban(compactCode(cell))),
    )
    const other = ibans.find(({ key }) => NAMES.counterpart.test(key))
    // A column called IBAN is the own account if another one has the counterpart's account.
    const hasOther = this.columns.some(
      ({ key }) => NAMES.counterpart.test(key) && NAMES.account.test(key),
    )
    const own = ibans.find(
      (column) =>
        column !== other &&
        new Set(column.cells).size === 1 &&
        NAMES.account.test(column.key) &&
        (hasOther || NAMES.ownAccount.test(column.key)) &&
        !NAMES.counterpart.test(column.key),
    )
    if (own !== undefined && !hasAccount) this.#place('accountIban', [own])
    const left = other ?? ibans.find((column) => column !== own)
    if (left !== undefined) this.#place('counterpartIban', [left])
    const bics = this.#free().filter(({ filled }) => filled.every(isWrittenBic))
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
      ({ key, filled }) =>
        NAMES.purpose.test(key) &&
        !NAMES.own.test(key) &&
        filled.some((cell) => /\p{L}/u.test(cell)),
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
    const others = this.#free().filter(
      (column) =>
        isWords(column) &&
        !hasIban(column) &&
        !NAMES.own.test(column.key) &&
        !NAMES.account.test(column.key),
    )
    this.#place('purpose', texts.length > 0 ? texts : others)
  }

  /** Reserves the column with the state of a row, booked or not. */
  takeState(): GuessedColumn | undefined {
    const free = this.#free().filter(({ amounts }) => amounts === undefined)
    const state = free.find(isOfStates) ?? free.find(({ key }) => NAMES.state.test(key))
    if (state !== undefined) this.#used.add(state)
    return state
  }

  placeState(state: GuessedColumn): void {
    const texts = [...new Set(state.filled)]
    const textsOf = (words: ReadonlySet<string>): string[] =>
      texts.filter((text) => words.has(columnKey(text)))
    const booked = textsOf(BOOKED)
    const unbooked = textsOf(UNBOOKED)
    const listed = (words: readonly string[]): string => `:${words.map(writtenText).join('|')}`
    const isKnown = booked.length + unbooked.length === texts.length
    if (booked.length > 0 && isKnown) {
      const isBooked = state.cells.map((text) => BOOKED.has(columnKey(text)))
      this.#placeFilter('booked', state, listed(booked), isBooked)
    } else if (unbooked.length > 0 && isKnown) {
      const isBooked = state.cells.map((text) => !UNBOOKED.has(columnKey(text)))
      this.#placeFilter('unbooked', state, listed(unbooked), isBooked)
    } else if (texts.length <= FEW_MAX) {
      const found = texts.map((text) => JSON.stringify(text)).join(', ')
      const example = booked[0] ?? texts[0] ?? ''
      this.ambiguities.push(
        `column ${state.written} seems to have the booked rows (${found}); specify by which ` +
          `texts, such as booked=${state.written}${listed([example])}`,
      )
    }
  }
  /** Places the filter of booked rows, unless the balances chain over all rows, or over neither. */
  #placeFilter(
    filter: 'booked' | 'unbooked',
    state: GuessedColumn,
    texts: string,
    isBooked: readonly boolean[],
  ): void {
    const balance = this.#columnOf('balanceAfter')
    const amounts = this.#moves()
    const chains =
      balance === undefined || amounts === undefined
        ? undefined
        : chainsWithFilter(amounts, balance, isBooked)
    if (chains === undefined || chains.booked) {
      this.#place(filter, [state], texts)
    } else if (!chains.all) {
      this.ambiguities.push(
        `the balances in column ${balance?.written} follow neither from all rows nor from those ` +
          `that ${filter}=${state.written}${texts} keeps; specify which rows are booked by the ` +
          `texts of column ${state.written}`,
      )
    }
  }

  #columnOf(field: string): GuessedColumn | undefined {
    const written = this.sides.find(([side]) => side === field)?.[1]
    return this.columns.find((column) => column.written === written)
  }

  /** The signed amounts of the rows; undefined with a direction column, or without amounts. */
  #moves(): readonly (Amount | undefined)[] | undefined {
    const [amount, debit, credit] = ['amount', 'debit', 'credit'].map((f) => this.#columnOf(f))
    if (this.#columnOf('direction') !== undefined) return undefined
    if (amount !== undefined) {
      return signedAmounts(amount, undefined, undefined, this.#columnOf('fee'))
    }
    if (debit === undefined || credit === undefined) return undefined
    const amountsOf = (column: GuessedColumn): readonly (Amount | undefined)[] =>
      column.amounts ?? column.cells.map(() => undefined)
    const debits = amountsOf(debit)
    const isNegative = debits.some((each) => (each?.unscaled ?? 0) < 0)
    const sizes = isNegative ? debits.map((each) => each && negateAmount(each)) : debits
    const less = { ...debit, amounts: sizes }
    return signedAmounts({ amounts: amountsOf(credit) }, undefined, undefined, less)
  }
}
