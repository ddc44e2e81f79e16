import type { Amount } from '../../money.js'
import type { AccountRow } from '../../store/columns.js'
import type { StatementTransaction } from '../statement.js'
import {
  type CheckedStatement,
  type ClosingBalance,
  differenceOf,
  gapSentence,
  gapsBetween,
  isContradicted,
  placeOfStatement,
} from './balance-check.js'
import { nameOfAccount } from './own-accounts.js'
import { RunningBalance } from './running-balance.js'

/**
 * Result of checking the rows of a file against its balances:
 * - `proved`: the balances chain, row by row or statement by statement, by value date too
 * - `gaps`: proved, but the balances of some statements do not meet
 * - `unproved`: some rows, or all, are not between two balances
 * - `contradicted`: the balances of some rows do not chain
 */
export interface BalanceProof {
  readonly result: 'proved' | 'gaps' | 'unproved' | 'contradicted'
  /** Position of the first contradiction, else of the first gap; absent without one. */
  readonly at?: string
}

/** The statements and rows of one account and currency, in file order. */
interface AccountBalances {
  readonly accountId: number
  /** Name of the account in messages. */
  readonly name: string
  readonly currency: string
  readonly statements: CheckedStatement[]
  rowCount: number
  /** Set at the first row with a balance. */
  running: RunningBalance | undefined
}

const NO_AMOUNT: Amount = { unscaled: 0, scale: 0 }

/** The balances of a file, account by account and currency by currency. */
export class FileBalances {
  readonly #accounts = new Map<string, AccountBalances>()
  /** Balances of the previous row: most files have one account and one currency. */
  #latest: AccountBalances | undefined

  /** Adds a row to be proved; most formats have no balance after it. */
  addRow(own: AccountRow, row: StatementTransaction): void {
    const account = this.#of(own, row.currency)
    const { balanceAfter, bookedAt, position } = row
    // The balance of PayPal moves by the amount minus the fee.
    const amount = row.paypal?.net ?? row.amount
    if (balanceAfter === undefined) {
      account.running?.skip(amount)
    } else {
      account.running ??= begun(account)
      account.running.add({ amount, balance: balanceAfter, bookedAt, position })
    }
    account.rowCount += 1
  }

  /** Adds a statement with rows that are not between its balances. */
  addUnproved(own: AccountRow, statement: readonly CheckedStatement[]): void {
    for (const { currency } of statement) this.#of(own, currency).rowCount += 1
  }

  /** Adds a whole statement, one currency at a time. */
  addStatement(own: AccountRow, statement: CheckedStatement): void {
    const { statements } = this.#of(own, statement.currency)
    const isBare = (each: CheckedStatement | undefined): boolean =>
      each !== undefined && each.opening === undefined && each.closing === undefined
    // Some tables have the account in each row: adjacent statements without balances count as one.
    if (!isBare(statement) || !isBare(statements.at(-1))) statements.push(statement)
  }

  /**
   * Returns the result for the file; to be called once, at its end.
   * @param warn receives a sentence for each contradiction between rows, and for each gap
   */
  finish(warn: (sentence: string) => void): {
    readonly proof: BalanceProof
    /** The newest balance of rows with balances, by the account's id. */
    readonly newest: readonly (readonly [accountId: number, closing: ClosingBalance])[]
  } {
    const newest: [number, ClosingBalance][] = []
    const contradictions: string[] = []
    const gaps: string[] = []
    let provedCount = 0
    let unprovedCount = 0
    for (const account of this.#accounts.values()) {
      const { accountId, name, currency, statements } = account
      const wrong = statements.filter(isContradicted)
      contradictions.push(...wrong.map(placeOfStatement))
      const running = account.running?.outcome()
      if (running?.newest !== undefined) {
        newest.push([accountId, { currency, ...running.newest, bookedLaterCount: 0 }])
      }
      if (running?.fault !== undefined) {
        contradictions.push(running.fault.position)
        warn(`${name}, ${running.fault.position}: ${running.fault.message}`)
      }
      for (const gap of gapsBetween(statements.filter(({ isInterim }) => isInterim !== true))) {
        gaps.push(placeOfStatement(gap.later))
        warn(gapSentence(name, gap))
      }
      if (isProved(account, running?.result)) provedCount += 1
      else if (account.rowCount > 0) unprovedCount += 1
    }
    const [at] = [...contradictions, ...gaps]
    if (at === undefined) {
      const isProof = provedCount > 0 && unprovedCount === 0
      return { proof: { result: isProof ? 'proved' : 'unproved' }, newest }
    }
    const result = contradictions.length > 0 ? 'contradicted' : 'gaps'
    return { proof: { result, at }, newest }
  }

  #of(own: AccountRow, currency: string): AccountBalances {
    const latest = this.#latest
    if (latest?.accountId === own.id && latest.currency === currency) return latest
    const key = `${own.id} ${currency}`
    let account = this.#accounts.get(key)
    if (account === undefined) {
      const name = nameOfAccount(own)
      account = {
        ...{ accountId: own.id, name, currency, statements: [] },
        ...{ rowCount: 0, running: undefined },
      }
      this.#accounts.set(key, account)
    }
    this.#latest = account
    return account
  }
}

function begun({ currency, rowCount }: AccountBalances): RunningBalance {
  const running = new RunningBalance(currency)
  if (rowCount > 0) running.skip(NO_AMOUNT)
  return running
}

/** Whether each row is between two balances: in all statements, or row by row. */
function isProved(
  { statements, rowCount }: AccountBalances,
  running: 'proved' | 'unproved' | 'contradicted' | undefined,
): boolean {
  if (running === 'proved') return true
  const counted = statements.reduce((sum, each) => sum + each.entryCount, 0)
  return statements.every((each) => differenceOf(each) !== undefined) && counted === rowCount
}
